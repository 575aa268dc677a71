/* SPDX-License-Identifier: MIT */
/* Executable graphs: instantiate, update, launch. */
#ifndef __MUSA_GRAPH_EXEC_API_H__
#define __MUSA_GRAPH_EXEC_API_H__

#include "../driver_types.h"

#include "api_begin.h"

musaError_t musaGraphInstantiate(musaGraphExec_t *pGraphExec, musaGraph_t graph,
				 unsigned long long flags __dv(0));
musaError_t musaGraphInstantiateWithFlags(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					  unsigned long long flags __dv(0));
musaError_t musaGraphInstantiateWithParams(musaGraphExec_t *pGraphExec, musaGraph_t graph,
					   musaGraphInstantiateParams *instantiateParams);
musaError_t musaGraphExecGetFlags(musaGraphExec_t graphExec, unsigned long long *flags);
musaError_t musaGraphExecKernelNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaKernelNodeParams *pNodeParams);
musaError_t musaGraphExecMemcpyNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaMemcpy3DParms *pNodeParams);
musaError_t musaGraphExecMemcpyNodeSetParamsToSymbol(musaGraphExec_t hGraphExec,
						     musaGraphNode_t node, const void *symbol,
						     const void *src, size_t count, size_t offset,
						     enum musaMemcpyKind kind);
musaError_t musaGraphExecMemcpyNodeSetParamsFromSymbol(musaGraphExec_t hGraphExec,
						       musaGraphNode_t node, void *dst,
						       const void *symbol, size_t count,
						       size_t offset, enum musaMemcpyKind kind);
musaError_t musaGraphExecMemcpyNodeSetParams1D(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					       void *dst, const void *src, size_t count,
					       enum musaMemcpyKind kind);
musaError_t musaGraphExecMemsetNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     const struct musaMemsetParams *pNodeParams);
musaError_t musaGraphExecHostNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					   const struct musaHostNodeParams *pNodeParams);
musaError_t musaGraphExecChildGraphNodeSetParams(musaGraphExec_t hGraphExec, musaGraphNode_t node,
						 musaGraph_t childGraph);
musaError_t musaGraphExecEventRecordNodeSetEvent(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
						 musaEvent_t event);
musaError_t musaGraphExecEventWaitNodeSetEvent(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
					       musaEvent_t event);
musaError_t musaGraphExecExternalSemaphoresSignalNodeSetParams(musaGraphExec_t hGraphExec,
		musaGraphNode_t hNode,
		const struct musaExternalSemaphoreSignalNodeParams *nodeParams);
musaError_t musaGraphExecExternalSemaphoresWaitNodeSetParams(musaGraphExec_t hGraphExec,
		musaGraphNode_t hNode,
		const struct musaExternalSemaphoreWaitNodeParams *nodeParams);
musaError_t musaGraphNodeSetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
				    unsigned int isEnabled);
musaError_t musaGraphNodeGetEnabled(musaGraphExec_t hGraphExec, musaGraphNode_t hNode,
				    unsigned int *isEnabled);
musaError_t musaGraphExecUpdate(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				musaGraphExecUpdateResultInfo *resultInfo);
musaError_t musaGraphExecUpdate_v2(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				   musaGraphExecUpdateResultInfo *resultInfo);
musaError_t musaGraphUpload(musaGraphExec_t graphExec, musaStream_t stream);
musaError_t musaGraphLaunch(musaGraphExec_t graphExec, musaStream_t stream);
musaError_t musaGraphExecDestroy(musaGraphExec_t graphExec);
musaError_t musaGraphExecNodeSetParams(musaGraphExec_t graphExec, musaGraphNode_t node,
				       struct musaGraphNodeParams *nodeParams);
musaError_t musaGraphInstantiate_v1(musaGraphExec_t *pGraphExec, musaGraph_t graph,
				    musaGraphNode_t *pErrorNode, char *pLogBuffer,
				    size_t bufferSize);
musaError_t musaGraphExecUpdate_v1(musaGraphExec_t hGraphExec, musaGraph_t hGraph,
				   musaGraphNode_t *errorNode_out,
				   enum musaGraphExecUpdateResult *result_out);

#include "api_end.h"

#endif /* __MUSA_GRAPH_EXEC_API_H__ */
