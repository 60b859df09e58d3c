import { Refused, readInput, review, worded } from '@svc/verify/intent'
import type { VerifyAsked } from './arguments.ts'
import { type Members, readHeaders, readJson, readMembers, readTrust } from './files.ts'
import { type BoundIntent, bind } from './intents.ts'
import { bewareOf, Mistake, type Outcome } from './outcome.ts'
import { provenance } from './provenance.ts'

/** Checks a craft against the request that it answers. @throws Mistake, SetupError */
export async function verifyFiles(options: VerifyAsked, folder: string): Promise<Outcome> {
  const trust = await readTrust(folder, options.trust)
  const bound = await bind(folder, options.protocol, trust, options.network)
  const { intent, terms } = bound
  const action = Object.hasOwn(intent.actions, options.action) ? intent.actions[options.action] : undefined
  if (action === undefined)
    throw new Mistake(`${intent.path} has no action ${options.action}; it has ${Object.keys(intent.actions).join(', ')}.`)
  const input = inputOf(bound, options, await readMembers(folder, options.request))
  const answer = await readJson(folder, options.craft)
  const came = await provenance(options, folder, trust, intent.path)
  if (!came.ok)
    return { code: 1, lines: [], errors: ["This is not the service's answer of now to this request. Do not sign it.", came.reason] }
  const reviewed = review({ intent, action, terms, input, answer, stated: await readHeaders(folder, options.headers) })
  const wrong = 'mismatches' in reviewed ? null : await intent.family.signing?.proven?.(answer)
  const mismatches = 'mismatches' in reviewed ? reviewed.mismatches : wrong ? [wrong] : []
  if ('mismatches' in reviewed || mismatches.length > 0) {
    const lines = mismatches
      .map((each) => worded(each, terms, intent))
      .map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`)
    return { code: 1, lines: [], errors: ['This is not what was asked for. Do not sign it.', ...lines] }
  }
  const assumed = reviewed.assumed.map(({ fact, value, bound, cost }) => {
    const worst = cost === undefined ? '' : `. At worst it costs ${cost}`
    return `On the service's word: ${fact} is ${value}; ${bound}${worst}.`
  })
  return { code: 0, lines: [reviewed.sentence, ...bewareOf(reviewed), ...assumed, ...came.lines], errors: [] }
}

/** Amounts of JSON are numbers; as text each is exactly what was written. */
function inputOf({ intent, terms }: BoundIntent, { action, request }: VerifyAsked, body: Members): Members {
  const shape = intent.actions[action]?.input ?? {}
  const textual = Object.entries(body).map(([name, value]) => {
    const isAmount = Object.hasOwn(shape, name) && shape[name]?.kind === 'amount'
    return [name, isAmount && typeof value === 'number' ? String(value) : value] as const
  })
  try {
    return readInput(shape, Object.fromEntries(textual), terms.decimals)
  } catch (error) {
    if (!Refused.is(error)) throw error
    const { path, expected, found: actual } = error.mismatch
    throw new Mistake(`${request} is no body of ${action}: ${path.replace(/^input\./, '')} should be ${expected} and is ${actual}.`)
  }
}
