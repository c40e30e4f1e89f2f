"""What is timed, in seconds of the processor time of all threads."""
import time

import values


class Kernel:
    """A function without arguments that returns a list of arrays, or whatever `arrays` makes such a list of."""

    def __init__(self, run, arrays=lambda results: results):
        self.run, self.arrays = run, arrays

    def seconds(self, repetitions):
        start = time.process_time()
        for _ in range(repetitions):
            self.run()
        return time.process_time() - start

    def digest(self):
        total, size = values.digest(self.arrays(self.run()))
        return {"sum": total, "size": size}


class SweepKernel(Kernel):
    """Sweeps of a function that also prepares them: the seconds of one are the difference of runs of more and of one."""

    def seconds(self, repetitions):
        times = []
        for sweeps in (1, 1 + repetitions):
            start = time.process_time()
            self.run(sweeps)
            times.append(time.process_time() - start)
        return max(times[1] - times[0], 0.0)

    def digest(self):
        return {"sum": 0.0, "size": 0.0}  # each program starts from values of its own
