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
    """Sweeps of a function that also prepares them: their seconds are the difference of runs of more and of one."""

    FEWEST, LONG = 3, 0.3  # sweeps in the difference, for it to be larger than its noise; seconds that are so anyway

    def seconds(self, repetitions):
        one = self._time(1)
        sweeps = repetitions if one > self.LONG else max(repetitions, self.FEWEST)
        more = self._time(1 + sweeps)
        difference = more - one
        if difference <= 0:  # something else was slow in the shorter run: the longer one whole is no less than its sweeps
            difference = more
        return difference * repetitions / sweeps

    def _time(self, sweeps):
        start = time.process_time()
        self.run(sweeps)
        return time.process_time() - start

    def digest(self):
        return {"sum": 0.0, "size": 0.0}  # each program starts from values of its own
