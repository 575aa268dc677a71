/* SPDX-License-Identifier: MIT */
/* Opaque object types that the runtime and the driver API share. */
#ifndef __MUSA_HANDLES_H__
#define __MUSA_HANDLES_H__

/* Objects are opaque to programs; runtime and driver API share them. */
struct MUctx_st;
struct MUmod_st;
struct MUfunc_st;
struct MUkern_st;
struct MUlib_st;
struct MUstream_st;
struct MUevent_st;
struct MUgraph_st;
struct MUgraphNode_st;
struct MUgraphExec_st;
struct MUgraphDeviceUpdatableNode_st;
struct MUmemPoolHandle_st;
struct MUuserObject_st;

/* A 16-byte identifier, of a device or of an export table. */
struct MUuuid_st {
	char bytes[16];
};

#endif /* __MUSA_HANDLES_H__ */
