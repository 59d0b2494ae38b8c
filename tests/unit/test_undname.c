/* SPDX-License-Identifier: BSD-3-Clause */
/* test_undname: names that clang and Microsoft's compiler decorate, and what they are of. */
#include "check.h"
#include "format/pdb/undname.h"

static void check(const char *decorated, const char *want)
{
	wp_autofree char *name = wp_undname(decorated);

	CHECK_STR(name, want);
}

static void test_functions(void)
{
	check("?f@@YAXXZ", "f");
	check("?f@a@b@@YAHPEADZZ", "b::a::f");
	check("?g@S@@QEBA_NAEBV1@$$QEAU1@@Z", "S::g");
	check("?g@S@@SGHH@Z", "S::g");
	check("?run@?A0x1f2e3d4c@@YAXXZ", "`anonymous namespace'::run");
	check("?f@A@@W7EAAXXZ", "A::f");
	check("?f@@9", "f");
	check("?x@A@@2HA", "A::x");
}

static void test_special(void)
{
	check("??0Box@shop@@QEAA@XZ", "shop::Box::Box");
	check("??1?$Box@H@shop@@UEAA@XZ", "shop::Box<int>::~Box<int>");
	check("??$?0H@Box@@QEAA@H@Z", "Box::Box<int>");
	check("??_GA@@UEAAPEAXI@Z", "A::`scalar deleting destructor'");
	check("??BA@@QEAAPEADXZ", "A::operator char *");
	check("??BA@@QEBA?BHXZ", "A::operator int const");
	check("??RL@@QEAAXH@Z", "L::operator()");
	check("??__MA@@QEBAHH@Z", "A::operator<=>");
	check("??__K_km@@YAK_K@Z", "operator \"\"_km");
	check("??2@YAPEAX_K@Z", "operator new");
	check("??__Ex@@YAXXZ", "`dynamic initializer for 'x''");
	check("??__F?y@A@@2HA@@YAXXZ", "`dynamic atexit destructor for 'A::y''");
}

static void test_templates(void)
{
	check("??$f@H@@YAXXZ", "f<int>");
	check("??$f@$$V@@YAXXZ", "f<>");
	check("?m@?$B@H$06$0?2PEAD@n@@QEAAXXZ", "n::B<int,7,-3,char *>::m");
	check("??$g@$1?x@@3HA@@YAXXZ", "g<&x>");
	check("??$g@$1?f@n@@YAXH@Z@@YAXXZ", "g<&n::f>");
	check("??$g@$$BY02H@@YAXXZ", "g<int[3]>");
	check("??$g@$$BY0A@D@@YAXXZ", "g<char[]>");
	check("??$g@$$CBH@@YAXXZ", "g<int const>");
	check("??$g@$$A6AHDH@Z@@YAXXZ", "g<int(char,int)>");
	check("??$g@$MH04@@YAXXZ", "g<5>");
	check("??$g@V?$C@PEAD@@V1@@@YAXXZ", "g<C<char *>,C<char *> >");
	check("??$g@P6APEAXHN@Z@@YAXXZ", "g<void * (__cdecl*)(int,double)>");
	check("??$g@P8A@@EBAXXZ@@YAXXZ", "g<void (__cdecl A::*)(void) const>");
	check("??$g@PEQA@@H@@YAXXZ", "g<int A::*>");
	check("??$g@AEAY01H@@YAXXZ", "g<int (&)[2]>");
	check("??$g@AEBQEAD@@YAXXZ", "g<char * const &>");
	check("??$g@W4E@@_N_J$$T@@YAXXZ", "g<E,bool,__int64,std::nullptr_t>");
}

static void test_scopes(void)
{
	check("?run@L@?1??f@@YAXXZ@QEAAXXZ", "`f'::`2'::L::run");
	check("??R<lambda_1>@?0??f@n@@YAXXZ@QEBA@H@Z", "`n::f'::`1'::<lambda_1>::operator()");
	/* The list of names begins anew in a template, and goes on behind it. */
	check("?f@?$B@VC@@@n@@QEAAXV2@@Z", "n::B<C>::f");
}

static void test_refused(void)
{
	check("main", NULL);
	check("_ZN1a1bEv", NULL);
	check("?", NULL);
	check("?f", NULL);
	check("?f@", NULL);
	check("?f@@", NULL);
	check("?f@@YA", NULL);
	check("??0@@QEAA@XZ", NULL);
	check("?f@3@@YAXXZ", NULL);
	check("??@0123456789abcdef0123456789abcdef@", NULL);
}

int main(void)
{
	RUN(test_functions);
	RUN(test_special);
	RUN(test_templates);
	RUN(test_scopes);
	RUN(test_refused);
	return check_done();
}
