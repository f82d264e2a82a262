# A program that asks on a terminal of its own, as under expect, script or ssh -t.
import pty

pty.spawn(['sh', '-c', "printf 'Continue? [y/N] '; read answer"])
