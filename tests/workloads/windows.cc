// windows: a freestanding C++ program with inlined calls, templates, lambdas and operators, for compilers that write PDBs.
extern "C" { int _fltused = 0; void *memset(void *p, int c, __SIZE_TYPE__ n) { char *q = (char *)p; while (n--) *q++ = (char)c; return p; } }
namespace shop {
template <class T> struct Box {
	T v;
	__attribute__((always_inline)) T twice() const { return v + v; }
	__attribute__((noinline)) T get(int n) const { return (T)(twice() * n + v); }
	Box(T x) : v(x) {}
	~Box() { sink += (int)v; }
	static volatile int sink;
};
template <class T> volatile int Box<T>::sink;
struct Item { virtual ~Item() {} virtual int price(int n) const { return n * 3; } bool operator<(const Item &o) const { return price(1) < o.price(2); } operator int() const { return 5; } };
namespace { __attribute__((noinline)) int hidden(int n) { volatile int s = n; for (int i = 0; i < n; i++) s += i * n; return s; } }
static inline __attribute__((always_inline)) int inner(int n) { volatile int k = n; k *= 3; return k; }
static inline __attribute__((always_inline)) int middle(int n) {
	int s = inner(n);
	if (s > 10)
		s += inner(s);
	return s;
}
__attribute__((noinline)) int outer(int n) {
	int r = middle(n) + 1;
	r += hidden(r & 15);
	auto f = [&](int k) __attribute__((noinline)) { volatile int q = k * r; return q; };
	return r + f(3);
}
}
void operator delete(void *, __SIZE_TYPE__) {}
void operator delete(void *) {}
extern "C" int entry(void) {
	shop::Box<int> b(3); shop::Box<long long> c(4);
	shop::Item i; const volatile shop::Item *p = &i;
	return b.get(2) + (int)c.get(3) + shop::outer(4) + (i < i) + (int)(p != 0) + (int)i;
}
