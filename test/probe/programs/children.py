# As many sleeping children as asked for; prints how many.
import os, sys
count = int(sys.argv[1])
for index in range(count):
    os.posix_spawn("/bin/sleep", ["sleep", "1000"], os.environ)
print(count, flush=True)
os.wait()
