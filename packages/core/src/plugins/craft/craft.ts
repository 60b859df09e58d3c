import { isDeepStrictEqual } from 'node:util'
import { type Assembly, type Context, membersOf, type NetworkBase } from '@svc/contract'
import type { AnyAction, AnyKit, ClientOf, DraftOf } from '@svc/contract/host'
import { check, type Decoded, type Effects, type Mismatch } from '@svc/verify'
import type { Static } from 'typebox'
import type { PromiseCheck } from './promise-check.ts'

/** The bytes said something else than the caller was promised. Never shown to a caller: to him it is a 500 that says nothing. */
export class DecodeMismatch extends Error {
  readonly mismatches: readonly Mismatch[]
  constructor(mismatches: readonly Mismatch[]) {
    super('a crafted transaction was withheld: its bytes differ from what was asked')
    this.name = 'DecodeMismatch'
    this.mismatches = mismatches
  }
}

interface Crafted<K extends AnyKit> {
  /** The answer, as JSON: the text that was read back. */
  readonly body: string
  /** The unsigned transaction, read from the text of the answer. */
  readonly unsigned: Static<K['wire']['unsigned']>
  readonly effects: Effects
  /** Terms that the chain dictated. */
  readonly terms: Assembly<unknown>['terms']
  /** Content of the bytes. */
  readonly decoded: Decoded
  /** Additional sentence of the action for the caller; null: none. */
  readonly says: string | null
}

/**
 * Crafts an unsigned transaction from validated input, reads its bytes back, and compares them with the request.
 *
 * Preflight, guard and read start together, and the simulation with them, unless it needs the result of `read`. Where several refuse, the guard's refusal is answered, else
 * the read's, else the simulation's.
 *
 * @param promised what it is held to besides its effects
 * @throws 400 what the action, the kit or the chain refuses
 * @throws DecodeMismatch when the bytes say something else
 */
export async function craft<K extends AnyKit, Net>(
  kit: K,
  action: AnyAction<ClientOf<K>, Net, DraftOf<K>>,
  ctx: Context<ClientOf<K>, Net>,
  input: Readonly<Record<string, unknown>>,
  promised: PromiseCheck = () => [],
): Promise<Crafted<K>> {
  const preflight = started(() => kit.preflight(ctx, String(input[kit.signer]), input))
  const guarded = started(async () => action.guard?.(ctx, input))
  const read = started(async () => action.read?.(ctx, input))
  const assemble = (draft: DraftOf<K>) => kit.assemble(ctx, draft, preflight) as Promise<Assembly<Static<K['wire']['unsigned']>>>

  const assembleBy = (facts: () => unknown) => started(async () => assemble(action.craft(ctx.network, input, await facts())))

  let [facts, says]: [unknown, string | null] = [undefined, null]
  let assembled: Promise<Assembly<Static<K['wire']['unsigned']>>>
  if (action.settle) {
    const expected = action.expect(input)
    assembled = assembleBy(() => expected)
    await guarded
    const plan = action.settle(ctx.network, input, await read)
    if (!isDeepStrictEqual(plan, expected)) assembled = assembleBy(() => plan)
    facts = plan
    says = action.says?.(input, await read) ?? null
  } else {
    assembled = assembleBy(() => (action.read ? read : undefined))
    await guarded
    facts = await read
    says = action.says?.(input, facts) ?? null
  }
  const { unsigned: transaction, terms } = await assembled
  // Only this text leaves. It is read back before the check, so that nothing that holds on to the object can show one thing and send another.
  const body = JSON.stringify(transaction)
  const unsigned: typeof transaction = JSON.parse(body)

  const effects = action.effects(ctx.network, input, facts)
  const decoded = decodedAs(kit, unsigned, effects, ctx.network, terms)
  const mismatches = promised(ctx.network, input, decoded, terms)
  if (mismatches.length > 0) throw new DecodeMismatch(mismatches)
  return { body, unsigned, effects, terms, decoded, says }
}

/**
 * Decodes the bytes, once they were found to say the effects and nothing else; a transaction that cannot even be read is one difference.
 *
 * @throws DecodeMismatch
 */
function decodedAs(kit: AnyKit, unsigned: unknown, effects: Effects, network: NetworkBase, terms: Assembly<unknown>['terms']): Decoded {
  // Promised nothing, checked nothing.
  if (effects.calls.length === 0)
    throw new DecodeMismatch([{ path: 'calls', expected: 'effects that name at least one call', found: 'none' }])
  const { chainId, maxFee } = network
  let decoded: Decoded
  let mismatches: readonly Mismatch[]
  try {
    decoded = kit.decode(membersOf(unsigned), effects, network, terms)
    mismatches = check(decoded, effects, { chainId, maxFee, terms })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new DecodeMismatch([{ path: 'bytes', expected: 'a transaction that can be read back', found: reason }])
  }
  if (mismatches.length > 0) throw new DecodeMismatch(mismatches)
  return decoded
}

/** Runs now; a rejection nobody waited for yet is not an unhandled one, because a more telling refusal may come first. */
function started<T>(run: () => Promise<T>): Promise<T> {
  const promise = run()
  promise.catch(() => undefined)
  return promise
}
