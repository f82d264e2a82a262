# As many open files as asked for (or allowed), most of them pipes in one epoll set; prints how many.
import os, resource, select, sys
count = int(sys.argv[1])
_, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
limit = count + 100 if hard == resource.RLIM_INFINITY else min(hard, count + 100)
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
loop = select.epoll()
kept = []
while len(kept) < min(count, limit - 50):
    ends = os.pipe()
    kept.extend(ends)
    loop.register(ends[0], select.EPOLLIN)
print(len(os.listdir("/proc/self/fd")) - 1, flush=True)
loop.poll()
