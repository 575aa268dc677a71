/* SPDX-License-Identifier: MIT */
/* Parameters of every shape; each kernel writes what it got. */
struct Small { int a; char b; };
struct Mixed { double d; int i; float f; };
struct Two { long a; double b; };
struct Three { float x, y, z; };
struct Big { int values[20]; double last; };
struct Empty { __device__ int operator()(int x) const { return x + 7; } };
struct alignas(32) Wide { float v[8]; };
struct Packed { char c; long l; } __attribute__((packed));
struct Copied {
	int v;
	Copied(int x) : v(x) {}
	__host__ __device__ Copied(const Copied &other) : v(other.v) {}
};
enum Color : short { RED, GREEN = 7 };
enum class Empty2 : unsigned char {};
struct Nested { Empty e; Small s; float4 f; };
union Either { int i; float f; };

extern "C" __global__ void scalars(double *out, bool b, char c, short s, int i, long l, float f,
				   double d, unsigned char uc, Color color, const int *ip, Empty2 e2)
{
	out[0] = b;
	out[1] = c;
	out[2] = s;
	out[3] = i;
	out[4] = l;
	out[5] = f;
	out[6] = d;
	out[7] = uc;
	out[8] = color;
	out[9] = *ip;
	out[10] = (int)e2;
}

extern "C" __global__ void structs(double *out, Small s, Mixed m, Two t, Three h, Big b, Empty e, Wide w,
				   Packed p, Nested n, Either u)
{
	out[0] = s.a + s.b;
	out[1] = m.d + m.i + m.f;
	out[2] = t.a + t.b;
	out[3] = h.x + h.y * 10 + h.z * 100;
	b.values[threadIdx.x] += 1; /* its own copy */
	out[4] = b.values[3] + b.last;
	out[5] = e(1);
	out[6] = w.v[0] + w.v[7];
	out[7] = p.c + p.l;
	out[8] = n.s.a + n.s.b + n.f.x + n.f.w;
	out[9] = u.i;
}

extern "C" __global__ void read_only(double *out, const Big b, int n)
{
	for (int i = 0; i < n; i++)
		out[0] += b.values[i % 20] + b.last;
}

extern "C" __global__ void copied(double *out, Copied c, int after)
{
	out[0] = c.v;
	out[1] = after;
}

/* More integer arguments than registers: the rest goes through memory. */
extern "C" __global__ void many(double *out, int a, int b, int c, int d, int e, int f, int g, Two t,
				int h, Small s, float x, Three y)
{
	out[0] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
	out[1] = t.a + t.b;
	out[2] = h;
	out[3] = s.a + s.b;
	out[4] = x;
	out[5] = y.x + y.y + y.z;
}

extern "C" __global__ void none()
{
}

extern "C" __global__ void __launch_bounds__(192, 2) bounded(double *out, float4 v, float2 w, double2 z,
							    uchar4 u, dim3 g, __int128 q, long double ld)
{
	out[0] = v.x + v.y + v.z + v.w;
	out[1] = w.x + w.y;
	out[2] = z.x + z.y;
	out[3] = u.x + u.y + u.z + u.w;
	out[4] = g.x + g.y + g.z;
	out[5] = (double)(long)(q >> 64) + (double)(long)q;
	out[6] = (double)ld;
}

template <class T, int N, class Op>
__global__ void templated(double *out, T value, Op op)
{
	out[0] = op((int)value) * N;
}
template __global__ void templated<short, 3, Empty>(double *, short, Empty);

namespace
{
__global__ void hidden(double *out, float f)
{
	out[0] = f;
}
}
static __global__ void local(double *out, float f)
{
	out[0] = f + 1;
}
