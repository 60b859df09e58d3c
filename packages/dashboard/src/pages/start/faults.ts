import type { Fault } from '../../api/sandbox.ts'

/** A fault of a chain's connection to choose, and what one will see of it. */
export interface FaultChoice {
  readonly id: 'none' | 'delay' | 'drop' | 'error'
  readonly label: string
  readonly seen: string
  /** Body of the operation. */
  readonly body: Fault
}

/** Delay of a slow chain, in milliseconds: long enough to be felt, short of the service's own patience. */
const LATE_MS = 3000

/** Faults that can happen between the service and a chain. */
export const FAULTS: readonly FaultChoice[] = [
  { id: 'none', label: 'Nothing: it answers', seen: 'Everything works.', body: { kind: 'none' } },
  {
    id: 'delay',
    label: 'It answers 3 s late',
    seen: 'A transaction is asked for and comes, 3 s later for each time that the chain is asked. Nothing is lost.',
    body: { kind: 'delay', ms: LATE_MS },
  },
  {
    id: 'drop',
    label: 'It breaks the connection',
    seen: 'The service says that the chain cannot be reached, and hands out nothing. What was signed stays good: send it when the chain is back.',
    body: { kind: 'drop' },
  },
  {
    id: 'error',
    label: 'It answers with an error',
    seen: 'The service says that the chain failed, and hands out nothing: a transaction is never made from half an answer.',
    body: { kind: 'error' },
  },
]

/** Returns the choice that stands for the fault that is switched on. */
export function offeredOf(fault: Fault | null): FaultChoice {
  return FAULTS.find(({ id }) => id === (fault?.kind ?? 'none')) ?? (FAULTS[0] as FaultChoice)
}
