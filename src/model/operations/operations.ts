import type * as input from './inputs.js';
import type * as output from './outputs.js';

/**
 * Every operation on runs in the background, as its callers see it. The schemas in src/control/operations check what
 * comes from outside; test/control/operation-types.test.ts proves that they accept and return exactly these types.
 */
export interface Operations {
  start: { input: input.StartInput; output: output.StartOutput };
  list: { input: input.ListInput; output: output.ListOutput };
  changes: { input: input.ChangesInput; output: output.ChangesOutput };
  samples: { input: input.SamplesInput; output: output.SamplesOutput };
  poll: { input: input.PollInput; output: output.PollOutput };
  log: { input: input.LogInput; output: output.LogOutput };
  read: { input: input.ReadInput; output: output.ReadOutput };
  wait: { input: input.WaitInput; output: output.WaitOutput };
  waitMany: { input: input.WaitManyInput; output: output.WaitManyOutput };
  kill: { input: input.KillInput; output: output.KillOutput };
  killAll: { input: input.KillAllInput; output: output.KillAllOutput };
  killPart: { input: input.KillPartInput; output: output.KillPartOutput };
  restart: { input: input.RestartInput; output: output.RestartOutput };
  rerun: { input: input.RerunInput; output: output.RerunOutput };
  pause: { input: input.RunInput; output: output.PauseOutput };
  resume: { input: input.RunInput; output: output.PauseOutput };
  signal: { input: input.SignalInput; output: output.SignalOutput };
  remove: { input: input.RemoveInput; output: output.RemoveOutput };
  write: { input: input.WriteInput; output: output.WriteOutput };
  submit: { input: input.SubmitInput; output: output.WriteOutput };
  close: { input: input.RunInput; output: output.CloseOutput };
  resize: { input: input.ResizeInput; output: output.ResizeOutput };
  isActive: { input: input.IsActiveInput; output: output.IsActiveOutput };
  handOver: { input: input.HandOverInput; output: output.HandOverOutput };
  inspect: { input: input.RunInput; output: output.InspectOutput };
  notices: { input: input.NoticesInput; output: output.NoticesOutput };
  orphans: { input: Record<string, never>; output: output.OrphansOutput };
  toolBegan: { input: input.ToolBeganInput; output: { watched: number } };
  toolEnded: { input: input.ToolEndedInput; output: { hint: string | null } };
}

/** The name of an operation. */
export type OperationName = keyof Operations;

/** What an operation takes; what has a default is optional. */
export type OperationInput<Name extends OperationName> = Operations[Name]['input'];

/** What an operation returns. */
export type OperationOutput<Name extends OperationName> = Operations[Name]['output'];
