import { isDeepStrictEqual } from 'node:util'
import { type CraftOptions, createClient, MismatchError, VerifiedTransaction } from '@svc/client'
import type { PinnedTerms } from '@svc/contract'
import { type Intent, readInput } from '@svc/verify/intent'
import type { Check } from '../check.ts'
import { kitWith, onKit } from '../direct.ts'
import type { Subject } from '../subject.ts'

/**
 * The service belongs to a thief: its kit crafts what he wants, its own check finds everything in order, its answers are signed with its own keys. The
 * client of a caller refuses every such transaction with a sentence, but for what is within the bound of a fact and told, and takes the honest one.
 */
export async function owned(subject: Subject, check: Check, intent: Intent, terms: PinnedTerms): Promise<void> {
  const { plugin, kit, family, protocol } = subject
  let forge: ((unsigned: unknown) => unknown) | null = null
  let honest: unknown
  const evil = kitWith(kit, {
    async assemble(...given) {
      const assembled = await kit.assemble(...given)
      honest = assembled.unsigned
      return forge ? { ...assembled, unsigned: forge(assembled.unsigned) as never } : assembled
    },
    // Whatever it is about to answer, it looks at what it should have answered.
    decode: (_unsigned, ...rest) => kit.decode(honest as never, ...rest),
  })
  const service = await subject.serve({ plugin: onKit(plugin, evil) })
  try {
    const client = createClient({
      trust: {
        version: 1,
        baseUrl: service.url,
        account: 'conformance',
        keys: service.signer.responses.keys.map(({ jwk }) => jwk),
        protocols: [{ path: protocol.prefix, networks: [{ default: true, terms }] }],
      },
      apiKey: await service.key(),
      protocols: { it: intent },
      retries: 0,
    })
    for (const action of subject.actions) {
      if (!Object.hasOwn(intent.actions, action)) continue
      const body = textual(intent, action, (await subject.example(action)).body)
      const attempt = (options?: CraftOptions) => client.it.craft(action, body, options).catch((error: unknown) => error)
      const taken = await attempt()
      if (!(taken instanceof VerifiedTransaction)) {
        check.fail(`${action}: the client takes the honest one of a service that a thief owns`, taken)
        continue
      }
      const facts = factsOf(intent, action, terms, body, taken)
      const { unsigned, effects } = await subject.captured(action)
      const attacks = family.forgeries(unsigned, effects).filter(({ attack }) => attack)
      for (const { name } of attacks) {
        forge = (crafted) => family.forgeries(crafted, effects).find((forgery) => forgery.name === name)?.unsigned ?? crafted
        const found = await attempt()
        const isTold = found instanceof VerifiedTransaction && !isDeepStrictEqual(found.assumed, taken.assumed)
        // What is within the bound of a fact is told, and refused where the caller knows the fact himself.
        const refused = isTold ? await attempt({ facts }) : found
        forge = null
        const isRefused = refused instanceof MismatchError && refused.mismatches.length > 0
        check.ok(isRefused, `${action}: the client refuses ${name} of a service that a thief owns`, refused)
      }
      check.tried(attacks.length, `attacks on a client by ${action}`)
    }
  } finally {
    await service.close()
  }
}

/** What a caller with a node would know of the honest transaction. */
function factsOf(
  intent: Intent,
  action: string,
  terms: PinnedTerms,
  body: Readonly<Record<string, unknown>>,
  { decoded }: VerifiedTransaction,
) {
  const promised = intent.actions[action]
  const read = promised?.factsOf?.(decoded, terms, readInput(promised.input, body, terms.decimals))
  return read?.facts ?? {}
}

/** A body as a caller gives it: amounts as text, in which they are exact. */
export function textual(intent: Intent, action: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shape = intent.actions[action]?.input ?? {}
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, shape[name]?.kind === 'amount' ? JSON.stringify(value).replaceAll('"', '') : value]),
  )
}
