import { type Failure, membersOf } from '@svc/contract'

/** Most characters of the chain's words that are shown. */
const SHOWN = 200

/** Says why a transaction failed, from the chain's own error. @see near/nearcore core/primitives/src/errors.rs (read 2026-11-23) */
export function failureText(failure: unknown): Failure {
  const kind = membersOf(membersOf(failure).ActionError).kind
  const execution = membersOf(membersOf(kind).FunctionCallError).ExecutionError
  if (typeof execution === 'string') {
    const words = execution.replace(/^Smart contract panicked: /, '').replace(/,? (src|\/)\S*$/, '')
    return { code: 'CONTRACT_REFUSED', reason: `The contract refused it: ${shown(words)}.` }
  }
  const [name] = typeof kind === 'string' ? [kind] : Object.keys(membersOf(kind))
  return {
    code: 'EXECUTION_FAILED',
    reason: name === undefined ? 'The chain did not say why.' : `The chain did not carry it out: ${shown(name)}.`,
  }
}

function shown(words: string): string {
  const line = words
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '')
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
