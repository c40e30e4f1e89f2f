// Stands for another build of PETSc, of which only the name of the file matters.
extern "C" int tyto_test_another_build();
extern "C" int tyto_test_another_build() { return 0; }
