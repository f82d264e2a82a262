import type { AgentName } from '../../../src/model/run/agent.js';
import { family } from '../hang-case.js';

/** A stand-in for an agent that ticks, keeps an idle server, and runs this as its tool, as that agent runs tools. */
function toolOf(
  agent: AgentName,
  stdin: 'null' | 'pipe' | 'socket' | 'tty',
  ...commands: string[]
): string[] {
  const program = `exec -a ${agent} python3 '{programs}/stand-in-agent.py' ${agent} ${stdin} "$@"`;
  return ['bash', '-c', program, 'bash', ...commands];
}

/** A program with a timer and an open pipe to its tool, which prints no events. */
const ticking = (command: string): string[] => ['node', '{programs}/ticking-parent.mjs', command];

const needs = ['python3'];

export const hungTools = family(
  'stuck inside a living program',
  { label: 'stuck', actor: 'its author', needs },
  [
    {
      name: 'tool-deadlock',
      why: 'two threads of a tool wait for the lock of each other, and its agent ticks.',
      run: toolOf('claude', 'null', '{bin}/mutex-ab-ba; :'),
      stdin: 'null',
      kinds: ['deadlock'],
      names: 'mutex-ab-ba',
    },
    {
      name: 'tool-deadlock-without-events',
      why: 'two threads of a tool wait for the lock of each other below a program that prints nothing and ticks.',
      run: ticking('{bin}/mutex-ab-ba; :'),
      needs: ['node'],
      stdin: 'null',
      kinds: ['deadlock'],
      names: 'mutex-ab-ba',
    },
    {
      name: 'tool-waits-for-output-of-itself',
      why: 'a tool reads a pipe whose only writing end it holds itself.',
      run: toolOf('codex', 'null', "python3 -c 'import os; r, w = os.pipe(); os.read(r, 1)'; :"),
      stdin: 'null',
      kinds: ['deadlock'],
      names: 'python3',
    },
    {
      name: 'tool-reads-fifo',
      why: 'a tool opens a FIFO for reading, and no process writes to it.',
      run: toolOf('opencode', 'null', 'mkfifo fifo; cat fifo; :'),
      stdin: 'null',
      kinds: ['event'],
      names: 'cat',
    },
    {
      name: 'tool-writes-fifo',
      why: 'a tool opens a FIFO for writing, and no process reads it.',
      run: toolOf('claude', 'null', 'mkfifo fifo; tee fifo </dev/null; :'),
      stdin: 'null',
      kinds: ['event'],
      names: 'tee',
    },
    {
      name: 'tool-asks-on-pipe',
      why: 'a tool reads the pipe of its agent, which waits for the end of the tool and never writes.',
      run: toolOf('gemini', 'pipe', 'cat; :'),
      stdin: 'null',
      kinds: ['needs-input'],
      names: 'cat',
    },
    {
      name: 'tool-asks-on-socket',
      why: 'a tool reads the socket of its agent, as Node gives it, and the agent waits for the end of the tool.',
      run: toolOf('opencode', 'socket', "python3 -c 'input()'; :"),
      stdin: 'null',
      kinds: ['needs-input'],
      names: 'python3',
    },
    {
      name: 'tool-asks-on-terminal',
      why: 'a tool asks on the terminal that its agent made for it, and the agent waits for its end.',
      run: toolOf('codex', 'tty', "printf 'Continue? '; cat; :"),
      stdin: 'null',
      kinds: ['needs-input'],
      names: 'cat',
    },
    {
      name: 'tool-stopped',
      why: 'a tool has stopped itself, and nothing continues it.',
      run: toolOf('gemini', 'null', "sh -c 'kill -STOP $$'; :"),
      stdin: 'null',
      kinds: ['stopped'],
      names: 'sh',
    },
    {
      name: 'tool-leaves-server-behind',
      why: 'a tool has ended, and a server that it started keeps the output open that the agent reads to its end.',
      run: toolOf('gemini', 'null', "perl -MIO::Socket -e 'IO::Socket::INET->new(Listen => 1)->accept' & :"),
      needs: ['python3', 'perl'],
      stdin: 'null',
      kinds: ['lingering'],
      names: 'perl',
    },
    {
      name: 'tool-leaves-sleep-behind',
      why: 'a tool has ended, and a process that sleeps for days keeps the output open that the agent reads.',
      run: toolOf('opencode', 'null', 'sleep 400000 & :'),
      stdin: 'null',
      kinds: ['lingering'],
      names: 'sleep',
    },
  ],
);

export const healthyTools = family(
  'healthy inside a living program',
  { label: 'healthy', actor: 'nobody', needs },
  [
    {
      name: 'tool-sleeps-then-ends',
      why: 'a tool sleeps for eight minutes and then ends.',
      run: toolOf('claude', 'null', 'sleep {eight-minutes-in-seconds}; test -d /'),
      stdin: 'null',
      kinds: ['timer'],
      goesOn: true,
    },
    {
      name: 'tool-computes',
      why: 'a tool computes without any output.',
      run: toolOf('codex', 'null', 'sha256sum /dev/zero'),
      needs: ['python3', 'sha256sum'],
      stdin: 'null',
      kinds: ['working'],
      busy: true,
    },
    {
      name: 'tool-compiles-in-a-loop',
      why: 'a tool compiles a small program every few seconds.',
      run: toolOf('gemini', 'null', 'echo "int main;" >a.c; while :; do gcc -c a.c; sleep 0.3; done'),
      needs: ['python3', 'gcc'],
      stdin: 'null',
      kinds: ['working', 'timer'],
    },
    {
      name: 'tool-with-idle-worker',
      why: 'a tool sleeps while a worker of it waits for the next task on a pipe.',
      run: toolOf('opencode', 'null', 'sleep {eight-minutes-in-seconds} | cat'),
      stdin: 'null',
      kinds: ['timer'],
      goesOn: true,
    },
    {
      name: 'tool-reads-fifo-late-writer',
      why: 'a tool opens a FIFO that another process of it opens eight minutes later.',
      run: toolOf(
        'claude',
        'null',
        'mkfifo fifo; { sleep {eight-minutes-in-seconds}; echo late >fifo; } & cat fifo',
      ),
      stdin: 'null',
      kinds: ['timer', 'event'],
      goesOn: true,
    },
    {
      name: 'tool-reads-fifo-of-another-tool',
      why: 'a tool opens a FIFO that a tool in the background opens eight minutes later.',
      run: toolOf(
        'codex',
        'null',
        'until [ -p fifo ]; do sleep 0.1; done; cat fifo',
        'mkfifo fifo; sleep {eight-minutes-in-seconds}; echo late >fifo',
      ),
      stdin: 'null',
      kinds: ['timer', 'event'],
      goesOn: true,
    },
    {
      name: 'tail-beside-a-tool',
      why: 'an agent follows a log in the background while its tool sleeps.',
      run: toolOf('gemini', 'null', 'sleep {eight-minutes-in-seconds}', 'tail -f /dev/null'),
      stdin: 'null',
      kinds: ['timer'],
      goesOn: true,
    },
    {
      name: 'server-started-by-a-tool',
      why: 'a tool starts a server in the background, with output of its own, and then sleeps.',
      run: toolOf(
        'opencode',
        'null',
        "perl -MIO::Socket -e 'IO::Socket::INET->new(Listen => 1)->accept' >/dev/null 2>&1 & sleep {eight-minutes-in-seconds}; kill $!",
      ),
      needs: ['python3', 'perl'],
      stdin: 'null',
      kinds: ['timer', 'service'],
      goesOn: true,
    },
    {
      name: 'job-left-behind-by-a-tool',
      why: 'a tool has ended, and a job that it started ends after eight minutes and closes the output.',
      run: toolOf('gemini', 'null', 'sleep {eight-minutes-in-seconds} & :'),
      stdin: 'null',
      kinds: ['timer'],
      goesOn: true,
    },
    {
      name: 'sub-agent-with-idle-server',
      why: 'the tool of an agent is another agent, whose own server idles and whose own tool sleeps.',
      run: toolOf(
        'claude',
        'null',
        "python3 '{programs}/stand-in-agent.py' codex pipe 'sleep {eight-minutes-in-seconds}'",
      ),
      stdin: 'null',
      kinds: ['timer'],
      goesOn: true,
    },
    {
      name: 'agent-waits-for-its-model',
      why: 'the service of the model takes eight minutes to answer.',
      run: toolOf('claude', 'null', 'model {port}'),
      outside: [
        'python3',
        '-c',
        "import socket, time; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True); c, _ = s.accept(); time.sleep({eight-minutes-in-seconds}); c.sendall(b'HTTP/1.1 200 OK'); time.sleep(60)",
      ],
      stdin: 'null',
      kinds: ['network', 'timer'],
      goesOn: true,
    },
  ],
);
