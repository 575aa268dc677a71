/* SPDX-License-Identifier: MIT */
/* Cooperative groups. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

extern "C" __global__ void blocks(int *out)
{
	cg::thread_block block = cg::this_thread_block();
	__shared__ int sum;

	if (block.thread_rank() == 0)
		sum = 0;
	block.sync();
	atomicAdd(&sum, 1);
	cg::sync(block);
	out[block.thread_rank()] = sum * 1000 + block.size() + block.group_index().x * 100000 +
				   block.thread_index().y * 1000000;
}

extern "C" __global__ void tiles(int *out)
{
	cg::thread_block block = cg::this_thread_block();
	auto tile32 = cg::tiled_partition<32>(block);
	auto tile8 = cg::tiled_partition<8>(tile32);
	int *mine = out + threadIdx.x * 8;

	mine[0] = tile8.thread_rank() + 100 * tile8.meta_group_rank() + 10000 * tile8.meta_group_size();
	mine[1] = tile8.shfl((int)threadIdx.x, 3);
	mine[2] = tile8.shfl_down((int)threadIdx.x, 1);
	mine[3] = cg::reduce(tile8, (int)threadIdx.x, cg::plus<int>());
	mine[4] = cg::reduce(tile32, (int)threadIdx.x, cg::greater<int>());
	mine[5] = tile8.ballot(tile8.thread_rank() & 1);
	mine[6] = cg::inclusive_scan(tile8, 2) * 100 + cg::exclusive_scan(tile8, 3);
	mine[7] = tile8.any(threadIdx.x == 9) * 10 + tile8.all(threadIdx.x < 16);
	tile8.sync();
}

/* Warp-aggregated increment, as everybody writes it. */
__device__ int add_together(int *counter)
{
	cg::coalesced_group active = cg::coalesced_threads();
	int base;

	if (active.thread_rank() == 0)
		base = atomicAdd(counter, (int)active.size());
	return active.shfl(base, 0) + active.thread_rank();
}

extern "C" __global__ void coalesced(int *counter, int *out, int *adds)
{
	if (threadIdx.x % 3 == 0) {
		out[add_together(counter)] = threadIdx.x;
		auto group = cg::coalesced_threads();
		if (group.thread_rank() == 0)
			atomicAdd(adds, 1);
	}
}

struct Large {
	int v[5];
};

extern "C" __global__ void partitions(int *out)
{
	cg::thread_group half = cg::tiled_partition(cg::this_thread_block(), 16);
	auto tile = cg::tiled_partition<32>(cg::this_thread_block());
	auto part = cg::binary_partition(tile, threadIdx.x % 4 == 0);
	Large large = {{(int)threadIdx.x, 1, 2, 3, (int)threadIdx.x * 2}};

	half.sync();
	large = tile.shfl(large, 5);
	out[threadIdx.x] = half.size() + 100 * half.thread_rank() + 10000 * part.size() +
			   1000000 * (large.v[0] + large.v[4]);
}

extern "C" __global__ void grids(unsigned long long *out)
{
	cg::grid_group grid = cg::this_grid();

	out[grid.thread_rank()] = grid.size() * 1000 + grid.block_rank() * 100 + grid.num_blocks();
}
