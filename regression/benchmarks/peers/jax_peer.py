"""JAX on one core in double precision: einsum, and derivatives by its own differentiation, compiled."""
import os

# XLA cuts its kernels for as many threads as the machine has; one is what is compared.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402 the environment comes first

jax.config.update("jax_enable_x64", True)
VERSION = jax.__version__


def _compiled(function, arrays):
    """Each run waits for the results, and arrays are arguments: nothing is worked out at compile time."""
    arrays = [jax.numpy.asarray(a) for a in arrays]
    compiled = jax.jit(function).lower(*arrays).compile()
    return lambda: jax.block_until_ready(compiled(*arrays))


def _einsum(problem):
    def function(*arrays):
        return [jax.numpy.einsum(e.text(), *(arrays[n] for n in e.operands), optimize="optimal") for e in problem.einsums]

    return _compiled(function, problem.arrays())


def _model(problem, factors):
    modes = [labels[0] for labels in problem.shapes if len(labels) == 2][: len(factors)]
    return jax.numpy.einsum(",".join(m + "r" for m in modes) + "->" + "".join(modes), *factors, optimize="optimal")


def _gradient(problem):
    def objective(factors, x):
        return 0.5 * jax.numpy.sum((x - _model(problem, factors)) ** 2)

    return _compiled(lambda x, *factors: jax.grad(objective)(list(factors), x), problem.arrays())


def _gauss_newton(problem):
    """Forward through the model, back through it: the model is as large as the data."""
    order = problem.integer("order")

    def product(*arrays):
        model = lambda factors: _model(problem, factors)
        _, tangent = jax.jvp(model, [list(arrays[:order])], [list(arrays[order:])])
        _, pullback = jax.vjp(model, list(arrays[:order]))
        return pullback(tangent)[0]

    return _compiled(product, problem.arrays())


KERNELS = dict.fromkeys(("gemm", "ttm", "contraction", "mttkrp", "ttmc", "two-site"), _einsum) | {
    "gradient": _gradient,
    "gauss-newton": _gauss_newton,
}
