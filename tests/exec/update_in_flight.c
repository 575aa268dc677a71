/* SPDX-License-Identifier: MIT */
/* Updates while launches are queued: each launch sees what stood at its submission. */
#include "support.h"

#define DEPTH 40

static musaError_t set_put(musaGraphExec_t exec, musaGraphNode_t node, int *to, int value)
{
	void *args[] = { &to, &value };
	struct musaKernelNodeParams params = t_kernel(kernel_put, args);

	return musaGraphExecKernelNodeSetParams(exec, node, &params);
}

/* A graph that puts a value and appends it to a log. */
struct logging {
	musaGraph_t graph;
	musaGraphExec_t exec;
	musaGraphNode_t append;
	musaStream_t stream;
	int *log;
};

static struct logging make_logging(void)
{
	struct logging l = { .stream = t_stream(), .log = t_ints(4 * DEPTH + 1) };

	OK(musaGraphCreate(&l.graph, 0));
	l.append = t_add_append(l.graph, NULL, 0, l.log, 0);
	OK(musaGraphInstantiate(&l.exec, l.graph, 0));
	return l;
}

static musaError_t set_append(const struct logging *l, int id)
{
	int *log = l->log;
	void *args[] = { &log, &id };
	struct musaKernelNodeParams params = t_kernel(kernel_append, args);

	return musaGraphExecKernelNodeSetParams(l->exec, l->append, &params);
}

static void check_log(const struct logging *l, const int *expected, int count)
{
	OK(musaStreamSynchronize(l->stream));
	EQ(t_read(l->log), count);
	for (int i = 0; i < count; i++)
		EQ(t_read(l->log + 1 + i), expected[i]);
}

static void drop_logging(struct logging *l)
{
	OK(musaGraphExecDestroy(l->exec));
	OK(musaGraphDestroy(l->graph));
}

/* Forty launches with forty values, all behind a blocked kernel, released after the last update. */
Test(update_in_flight, forty_values)
{
	struct logging l = make_logging();
	struct t_gate gate = t_hold(l.stream);
	int expected[DEPTH];

	for (int i = 0; i < DEPTH; i++) {
		expected[i] = 500 + i;
		OK(set_append(&l, 499));
		OK(set_append(&l, 500 + i));
		OK(musaGraphLaunch(l.exec, l.stream));
	}
	OK(set_append(&l, 1));
	t_release(gate);
	check_log(&l, expected, DEPTH);
	drop_logging(&l);
}

/* Launches between which nothing is updated, and updates between which nothing is launched. */
Test(update_in_flight, uneven_steps)
{
	struct logging l = make_logging();
	int expected[4 * DEPTH], n = 0;

	for (int round = 0; round < 6; round++) {
		struct t_gate gate = t_hold(l.stream);

		for (int i = 0; i < 5; i++) {
			for (int u = 0; u <= (i + round) % 3; u++)
				OK(set_append(&l, round * 100 + i * 10 + u));
			for (int k = 0; k < (i + round) % 4; k++) {
				expected[n++] = round * 100 + i * 10 + (i + round) % 3;
				OK(musaGraphLaunch(l.exec, l.stream));
			}
		}
		t_release(gate);
		if (round % 2)
			OK(musaStreamSynchronize(l.stream));
	}
	check_log(&l, expected, n);
	drop_logging(&l);
}

/* A whole update and a switch are kept apart from submitted launches as well. */
Test(update_in_flight, whole_update_and_switch)
{
	musaStream_t stream = t_stream();
	int *to = t_ints(8), *log = t_ints(64);
	musaGraphExecUpdateResultInfo info;
	musaGraphNode_t node[3], append;
	musaGraph_t graph, other;
	musaGraphExec_t exec;
	struct t_gate gate;
	int out[16];

	for (int pass = 0; pass < 2; pass++) {
		musaGraph_t *g = pass ? &other : &graph;

		OK(musaGraphCreate(g, 0));
		node[0] = t_add_put(*g, NULL, 0, to, 10 + pass);
		node[1] = t_add_put(*g, node, 1, to + 1, 20 + pass);
		append = t_add_append(*g, node + 1, 1, log, 30 + pass);
		if (!pass) {
			OK(musaGraphInstantiate(&exec, graph, 0));
			node[2] = append;
		}
	}
	gate = t_hold(stream);
	OK(musaGraphLaunch(exec, stream));
	OK(musaGraphExecUpdate(exec, other, &info));
	EQ(info.result, musaGraphExecUpdateSuccess);
	OK(musaGraphLaunch(exec, stream));
	OK(musaGraphNodeSetEnabled(exec, node[2], 0));
	OK(musaGraphLaunch(exec, stream));
	OK(musaGraphNodeSetEnabled(exec, node[2], 7));
	OK(musaGraphExecUpdate(exec, graph, &info));
	OK(musaGraphLaunch(exec, stream));
	t_release(gate);
	OK(musaStreamSynchronize(stream));
	t_read_all(log, out, 4);
	EQ(out[0], 3);
	EQ(out[1], 30);
	EQ(out[2], 31);
	EQ(out[3], 30);
	EQ(t_read(to), 10);
	EQ(t_read(to + 1), 20);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
	OK(musaGraphDestroy(other));
}

/* Another kernel with more arguments, and back, with launches of both queued. */
Test(update_in_flight, larger_arguments)
{
	musaStream_t stream = t_stream();
	int *to = t_ints(4), *log = t_ints(16), words[256] = { 0 };
	struct { int a, b; } pair = { 20, 1 };
	void *last_args[] = { &to, words }, *sum_args[3];
	musaGraphNode_t node, copy;
	musaGraph_t graph;
	musaGraphExec_t exec;
	struct musaKernelNodeParams params;
	struct t_gate gate;
	double factor = 2.0;
	int *from = to, *dst = log + 1, out[6];
	void *copy_args[] = { &from, &dst };

	sum_args[0] = &to;
	sum_args[1] = &pair;
	sum_args[2] = &factor;
	OK(musaGraphCreate(&graph, 0));
	node = t_add_put(graph, NULL, 0, to, 1);
	copy = t_add_kernel(graph, &node, 1, kernel_copy_word, copy_args);
	OK(musaGraphInstantiate(&exec, graph, 0));
	gate = t_hold(stream);
	for (int i = 0; i < 5; i++) {
		words[255] = 900 + i;
		if (i % 2)
			params = t_kernel(kernel_put_last, last_args);
		else
			params = t_kernel(kernel_put_sum, sum_args);
		pair.a = 20 + i;
		dst = log + 1 + i;
		OK(musaGraphExecKernelNodeSetParams(exec, node, &params));
		params = t_kernel(kernel_copy_word, copy_args);
		OK(musaGraphExecKernelNodeSetParams(exec, copy, &params));
		OK(musaGraphLaunch(exec, stream));
	}
	t_release(gate);
	OK(musaStreamSynchronize(stream));
	t_read_all(log, out, 6);
	EQ(out[1], 42);
	EQ(out[2], 901);
	EQ(out[3], 46);
	EQ(out[4], 903);
	EQ(out[5], 50);
	OK(set_put(exec, node, to, 4));
	OK(musaGraphLaunch(exec, stream));
	OK(musaStreamSynchronize(stream));
	EQ(t_read(to), 4);
	OK(musaGraphExecDestroy(exec));
	OK(musaGraphDestroy(graph));
}

/* An exec destroyed with launches queued ends them all, with the values they were submitted with. */
Test(update_in_flight, destroyed_while_queued)
{
	struct logging l = make_logging();
	struct t_gate gate = t_hold(l.stream);
	int expected[] = { 3, 4, 5 };

	for (int i = 0; i < 3; i++) {
		OK(set_append(&l, expected[i]));
		OK(musaGraphLaunch(l.exec, l.stream));
	}
	OK(set_append(&l, 6));
	OK(musaGraphExecDestroy(l.exec));
	EXPECT(musaErrorInvalidValue, musaGraphLaunch(l.exec, l.stream));
	OK(musaGraphDestroy(l.graph));
	t_release(gate);
	check_log(&l, expected, 3);
}

/* Launches of one exec from several streams follow each other with their own values. */
Test(update_in_flight, several_streams)
{
	struct logging l = make_logging();
	musaStream_t others[3] = { t_stream(), t_stream(), t_stream() };
	struct t_gate gate = t_hold(l.stream);
	int expected[12];

	OK(set_append(&l, 100));
	expected[0] = 100;
	OK(musaGraphLaunch(l.exec, l.stream));
	for (int i = 1; i < 12; i++) {
		expected[i] = 100 + i;
		OK(set_append(&l, 100 + i));
		OK(musaGraphLaunch(l.exec, others[i % 3]));
	}
	t_release(gate);
	for (int i = 0; i < 3; i++)
		OK(musaStreamSynchronize(others[i]));
	check_log(&l, expected, 12);
	drop_logging(&l);
}
