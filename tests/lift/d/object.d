// What the compiler needs of the language's runtime, and no more.
module object;

alias size_t = ulong;
alias string = immutable(char)[];

class Object
{
}

class TypeInfo
{
}

class TypeInfo_Class : TypeInfo
{
	ubyte[] initial;
	string name;
	void*[] vtbl;
	void*[] interfaces;
	TypeInfo_Class base;
	void* destructor;
	void function(Object) invariants;
	uint flags;
	void* deallocator;
	void*[] offsets;
	void function(Object) constructor;
	immutable(void)* info;
}

class Throwable : Object
{
}

class Exception : Throwable
{
}

class Error : Throwable
{
}
