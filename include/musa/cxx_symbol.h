/* SPDX-License-Identifier: MIT */
/*
 * Calls that name a variable of device code, for C++: they take the variable itself, where C
 * takes the address of its host shadow. Those of graphs are led by macros to functions that take
 * either; so the name without parentheses is one function, whose address can be taken.
 */
#ifndef __MUSA_CXX_SYMBOL_H__
#define __MUSA_CXX_SYMBOL_H__

#include "cxx_out.h"
#include "graph_api.h"
#include "graph_exec_api.h"
#include "graph_node_api.h"
#include "library_api.h"
#include "memcpy_api.h"
#include "memory_api.h"

/* The address by which a variable was registered. */
template <class T> static inline const void *__musa_symbol(const T &symbol)
{
	return static_cast<const void *>(&reinterpret_cast<const char &>(symbol));
}

template <class T> static inline musaError_t musaGetSymbolAddress(void **devPtr, const T &symbol)
{
	return ::musaGetSymbolAddress(devPtr, __musa_symbol(symbol));
}

template <class T, class U>
static inline musaError_t musaGetSymbolAddress(U **devPtr, const T &symbol)
{
	return ::musaGetSymbolAddress(__musa_out(devPtr), __musa_symbol(symbol));
}

template <class T> static inline musaError_t musaGetSymbolSize(size_t *size, const T &symbol)
{
	return ::musaGetSymbolSize(size, __musa_symbol(symbol));
}

template <class T>
static inline musaError_t musaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
					     size_t offset = 0,
					     enum musaMemcpyKind kind = musaMemcpyHostToDevice)
{
	return ::musaMemcpyToSymbol(__musa_symbol(symbol), src, count, offset, kind);
}

template <class T>
static inline musaError_t
musaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
			enum musaMemcpyKind kind = musaMemcpyHostToDevice, musaStream_t stream = 0)
{
	return ::musaMemcpyToSymbolAsync(__musa_symbol(symbol), src, count, offset, kind, stream);
}

template <class T>
static inline musaError_t musaMemcpyFromSymbol(void *dst, const T &symbol, size_t count,
					       size_t offset = 0,
					       enum musaMemcpyKind kind = musaMemcpyDeviceToHost)
{
	return ::musaMemcpyFromSymbol(dst, __musa_symbol(symbol), count, offset, kind);
}

template <class T>
static inline musaError_t
musaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
			  enum musaMemcpyKind kind = musaMemcpyDeviceToHost,
			  musaStream_t stream = 0)
{
	return ::musaMemcpyFromSymbolAsync(dst, __musa_symbol(symbol), count, offset, kind, stream);
}

static inline musaError_t
__musaGraphAddMemcpyNodeToSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				 const musaGraphNode_t *pDependencies, size_t numDependencies,
				 const void *symbol, const void *src, size_t count, size_t offset,
				 enum musaMemcpyKind kind)
{
	return ::musaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies,
						symbol, src, count, offset, kind);
}

template <class T>
static inline musaError_t
__musaGraphAddMemcpyNodeToSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				 const musaGraphNode_t *pDependencies, size_t numDependencies,
				 const T &symbol, const void *src, size_t count, size_t offset,
				 enum musaMemcpyKind kind)
{
	return ::musaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies,
						__musa_symbol(symbol), src, count, offset, kind);
}

static inline musaError_t
__musaGraphAddMemcpyNodeFromSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   void *dst, const void *symbol, size_t count, size_t offset,
				   enum musaMemcpyKind kind)
{
	return ::musaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies,
						  numDependencies, dst, symbol, count, offset,
						  kind);
}

template <class T>
static inline musaError_t
__musaGraphAddMemcpyNodeFromSymbol(musaGraphNode_t *pGraphNode, musaGraph_t graph,
				   const musaGraphNode_t *pDependencies, size_t numDependencies,
				   void *dst, const T &symbol, size_t count, size_t offset,
				   enum musaMemcpyKind kind)
{
	return ::musaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies,
						  numDependencies, dst, __musa_symbol(symbol),
						  count, offset, kind);
}

static inline musaError_t __musaGraphMemcpyNodeSetParamsToSymbol(musaGraphNode_t node,
								 const void *symbol,
								 const void *src, size_t count,
								 size_t offset,
								 enum musaMemcpyKind kind)
{
	return ::musaGraphMemcpyNodeSetParamsToSymbol(node, symbol, src, count, offset, kind);
}

template <class T>
static inline musaError_t
__musaGraphMemcpyNodeSetParamsToSymbol(musaGraphNode_t node, const T &symbol, const void *src,
				       size_t count, size_t offset, enum musaMemcpyKind kind)
{
	return ::musaGraphMemcpyNodeSetParamsToSymbol(node, __musa_symbol(symbol), src, count,
						      offset, kind);
}

static inline musaError_t __musaGraphMemcpyNodeSetParamsFromSymbol(musaGraphNode_t node, void *dst,
								   const void *symbol,
								   size_t count, size_t offset,
								   enum musaMemcpyKind kind)
{
	return ::musaGraphMemcpyNodeSetParamsFromSymbol(node, dst, symbol, count, offset, kind);
}

template <class T>
static inline musaError_t
__musaGraphMemcpyNodeSetParamsFromSymbol(musaGraphNode_t node, void *dst, const T &symbol,
					 size_t count, size_t offset, enum musaMemcpyKind kind)
{
	return ::musaGraphMemcpyNodeSetParamsFromSymbol(node, dst, __musa_symbol(symbol), count,
							offset, kind);
}

static inline musaError_t
__musaGraphExecMemcpyNodeSetParamsToSymbol(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					   const void *symbol, const void *src, size_t count,
					   size_t offset, enum musaMemcpyKind kind)
{
	return ::musaGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec, node, symbol, src, count,
							  offset, kind);
}

template <class T>
static inline musaError_t
__musaGraphExecMemcpyNodeSetParamsToSymbol(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					   const T &symbol, const void *src, size_t count,
					   size_t offset, enum musaMemcpyKind kind)
{
	return ::musaGraphExecMemcpyNodeSetParamsToSymbol(
		hGraphExec, node, __musa_symbol(symbol), src, count, offset, kind);
}

static inline musaError_t
__musaGraphExecMemcpyNodeSetParamsFromSymbol(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     void *dst, const void *symbol, size_t count,
					     size_t offset, enum musaMemcpyKind kind)
{
	return ::musaGraphExecMemcpyNodeSetParamsFromSymbol(hGraphExec, node, dst, symbol, count,
							    offset, kind);
}

template <class T>
static inline musaError_t
__musaGraphExecMemcpyNodeSetParamsFromSymbol(musaGraphExec_t hGraphExec, musaGraphNode_t node,
					     void *dst, const T &symbol, size_t count,
					     size_t offset, enum musaMemcpyKind kind)
{
	return ::musaGraphExecMemcpyNodeSetParamsFromSymbol(
		hGraphExec, node, dst, __musa_symbol(symbol), count, offset, kind);
}

#define musaGraphAddMemcpyNodeToSymbol(...) __musaGraphAddMemcpyNodeToSymbol(__VA_ARGS__)
#define musaGraphAddMemcpyNodeFromSymbol(...) __musaGraphAddMemcpyNodeFromSymbol(__VA_ARGS__)
#define musaGraphMemcpyNodeSetParamsToSymbol(...) \
	__musaGraphMemcpyNodeSetParamsToSymbol(__VA_ARGS__)
#define musaGraphMemcpyNodeSetParamsFromSymbol(...) \
	__musaGraphMemcpyNodeSetParamsFromSymbol(__VA_ARGS__)
#define musaGraphExecMemcpyNodeSetParamsToSymbol(...) \
	__musaGraphExecMemcpyNodeSetParamsToSymbol(__VA_ARGS__)
#define musaGraphExecMemcpyNodeSetParamsFromSymbol(...) \
	__musaGraphExecMemcpyNodeSetParamsFromSymbol(__VA_ARGS__)

/* Variables of code loaded at run time, by name, into a pointer of any type. */

template <class T>
static inline musaError_t musaLibraryGetGlobal(T **dptr, size_t *bytes, musaLibrary_t library,
					       const char *name)
{
	return ::musaLibraryGetGlobal(__musa_out(dptr), bytes, library, name);
}

template <class T>
static inline musaError_t musaLibraryGetManaged(T **dptr, size_t *bytes, musaLibrary_t library,
						const char *name)
{
	return ::musaLibraryGetManaged(__musa_out(dptr), bytes, library, name);
}

template <class T>
static inline musaError_t musaLibraryGetUnifiedFunction(T **fptr, musaLibrary_t library,
							const char *symbol)
{
	return ::musaLibraryGetUnifiedFunction(__musa_out(fptr), library, symbol);
}

#endif /* __MUSA_CXX_SYMBOL_H__ */
