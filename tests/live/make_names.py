#!/usr/bin/env python3
"""make_names.py [SEED]: a C++ source with thousands of functions whose decorated names have all sorts of types in them."""
import random
import sys

random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
BASE = ["int", "char", "bool", "unsigned long long", "wchar_t", "double", "float", "signed char", "short", "long",
        "ns::Item", "ns::deep::Node", "Color", "ns::Scoped", "Either", "decltype(nullptr)", "char16_t", "char32_t",
        "ns::Box<int>", "ns::Box<ns::Box<char *>>", "ns::Pair<int, ns::Item>", "ns::Sized<int, 7>", "ns::Sized<char, -3>",
        "ns::Pack<>", "ns::Pack<int, char, bool>", "ns::Box<void (*)(int)>", "ns::Box<int[3]>", "ns::Box<const int>",
        "ns::Fn<int(char, ns::Item &)>", "ns::Addr<&ns::global>", "ns::Call<&ns::callee>", "ns::Meth<&ns::Item::price>",
        "ns::Data<&ns::Item::cost>", "ns::Tmpl<ns::Box>", "ns::Box<const volatile char *const *>", "ns::Auto<5>"]


def any_type(depth=0):
    kind = random.randrange(13 if depth < 3 else 5)
    inner = lambda: any_type(depth + 1)
    if kind < 5:
        return random.choice(BASE)
    if kind == 5:
        return f"ptr<{inner()}>"
    if kind == 6:
        return f"ref<{inner()}>"
    if kind == 7:
        return f"cons<{inner()}>"
    if kind == 8:
        return f"ns::Box<{inner()}>"
    if kind == 9:
        return f"ns::Pair<{inner()}, {inner()}>"
    if kind == 10:
        return f"fun<ptr<{inner()}>, {inner()}>"
    if kind == 11:
        return f"meth<ns::Item, ptr<{inner()}>, {inner()}>"
    return f"rref<{inner()}>"


print("""
template <class T> struct nr { typedef T t; }; template <class T> struct nr<T &> { typedef T t; };
template <class T> struct nr<T &&> { typedef T t; };
template <class T> using ptr = typename nr<T>::t *;
template <class T> using ref = typename nr<T>::t &;
template <class T> using rref = typename nr<T>::t &&;
template <class T> using cons = const typename nr<T>::t;
template <class R, class A> using fun = R (*)(A, int);
template <class C, class R, class A> using meth = R (C::*)(A) const;
enum Color { red }; union Either { int a; char b; };
namespace ns {
template <class T> struct Box { void in(T *, Box &); static int count(int); Box(); ~Box(); operator int(); operator ptr<T>();
	template <class U> U cast(U); void operator()(int); Box &operator=(const Box &); bool operator<(const Box &) const;
	void *operator new(decltype(sizeof 0)); void operator delete(void *); int operator[](int) volatile; };
template <class A, class B> struct Pair { void both(A *, B *) const; };
template <class T, int N> struct Sized {}; template <class... T> struct Pack {}; template <class T> struct Fn {};
template <int *P> struct Addr {}; template <void (*F)(int)> struct Call {}; template <template <class> class T> struct Tmpl {};
template <auto N> struct Auto {};
struct Item { int price(int) const; int cost; virtual void buy(); }; enum class Scoped { one };
template <int (Item::*M)(int) const> struct Meth {}; template <int Item::*M> struct Data {};
namespace deep { struct Node { struct Inner { void go(Node *, Inner &&) const &; }; }; }
extern int global; void callee(int);
template <class T> void Box<T>::in(T *, Box &) {} template <class T> int Box<T>::count(int) { return 1; }
template <class T> Box<T>::Box() {} template <class T> Box<T>::~Box() {} template <class T> Box<T>::operator int() { return 1; }
template <class T> Box<T>::operator ptr<T>() { return nullptr; } template <class T> void Box<T>::operator()(int) {}
template <class T> Box<T> &Box<T>::operator=(const Box &) { return *this; }
template <class T> bool Box<T>::operator<(const Box &) const { return false; }
template <class T> void *Box<T>::operator new(decltype(sizeof 0)) { return nullptr; }
template <class T> void Box<T>::operator delete(void *) {} template <class T> int Box<T>::operator[](int) volatile { return 1; }
template <class A, class B> void Pair<A, B>::both(A *, B *) const {}
void deep::Node::Inner::go(Node *, Inner &&) const & {}
void Item::buy() { auto f = [](int a) { struct Local { void run(Local *) {} }; Local l; l.run(&l); return a; }; f(1); }
inline namespace v1 { long operator""_km(unsigned long long) { return 1; } void many(int, ...) noexcept {} }
}
namespace { struct Hidden { void look(Hidden &) {} }; }
void show() { Hidden h; h.look(h); static int once = ns::Item().price(1); auto g = [h]() mutable { h.look(h); }; g(); }
template <class T> void take() {}
""")
for i in range(900):
    kind, one = i % 3, any_type()
    if kind == 0:
        print(f"void f{i}(ptr<{one}>, ptr<{any_type()}>, {any_type()} &&, ptr<{one}>) {{}}")
    elif kind == 1:
        print(f"template void take<{one}>();")
    else:
        print(f"namespace n{i} {{ struct S {{ void m(ns::Box<{one}> *, S) const; }}; "
              f"void S::m(ns::Box<{one}> *, S) const {{}} }}")
for one in BASE:
    if "const" not in one and "[" not in one:
        print(f"template struct ns::Box<{one} **>;")
