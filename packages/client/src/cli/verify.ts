import { Refused, readInput, review } from '@svc/verify/intent'
import { provenance } from './answered.ts'
import type { VerifyAsked } from './arguments.ts'
import { type Members, readHeaders, readJson, readMembers, readTrust } from './files.ts'
import { type Bound, bind } from './intents.ts'
import { Mistake, type Outcome } from './outcome.ts'

/** Checks a craft against the request that it answers. @throws Mistake, SetupError */
export async function verifyFiles(asked: VerifyAsked, folder: string): Promise<Outcome> {
  const trust = await readTrust(folder, asked.trust)
  const bound = await bind(folder, asked.protocol, trust, asked.network)
  const { intent, terms } = bound
  const action = Object.hasOwn(intent.actions, asked.action) ? intent.actions[asked.action] : undefined
  if (action === undefined)
    throw new Mistake(`${intent.path} has no action ${asked.action}; it has ${Object.keys(intent.actions).join(', ')}.`)
  const input = inputOf(bound, asked, await readMembers(folder, asked.request))
  const answer = await readJson(folder, asked.craft)
  const came = await provenance(asked, folder, trust, intent.path)
  if (!came.ok)
    return { code: 1, lines: [], errors: ["This is not the service's answer of now to this request. Do not sign it.", came.reason] }
  const reviewed = review({ intent, action, terms, input, answer, stated: await readHeaders(folder, asked.headers) })
  if ('mismatches' in reviewed) {
    const lines = reviewed.mismatches.map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`)
    return { code: 1, lines: [], errors: ['This is not what was asked for. Do not sign it.', ...lines] }
  }
  const assumed = reviewed.assumed.map(({ fact, value, bound }) => `On the service's word: ${fact} is ${value}; ${bound}.`)
  return { code: 0, lines: [reviewed.sentence, ...assumed, ...came.lines], errors: [] }
}

/** Amounts of JSON are numbers; as text each is exactly what was written. */
function inputOf({ intent, terms }: Bound, { action, request }: VerifyAsked, body: Members): Members {
  const shape = intent.actions[action]?.input ?? {}
  const textual = Object.entries(body).map(([name, value]) => {
    const isAmount = Object.hasOwn(shape, name) && shape[name]?.kind === 'amount'
    return [name, isAmount && typeof value === 'number' ? String(value) : value] as const
  })
  try {
    return readInput(shape, Object.fromEntries(textual), terms.decimals)
  } catch (error) {
    if (!Refused.is(error)) throw error
    const { path, expected, found } = error.mismatch
    throw new Mistake(`${request} is no body of ${action}: ${path.replace(/^input\./, '')} should be ${expected} and is ${found}.`)
  }
}
