# Locks the database "db", prints 0, and gives it back argv[1] seconds after the file "asked" is there.
import os
import sqlite3
import sys
import time

database = sqlite3.connect("db", isolation_level=None)
database.execute("create table t (n)")
database.execute("begin exclusive")
print(0, flush=True)
while not os.path.exists("asked"):
    time.sleep(0.05)
time.sleep(float(sys.argv[1]))
database.execute("commit")
