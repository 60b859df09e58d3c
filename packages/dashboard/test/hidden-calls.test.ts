import { type AnyFamily, type HiddenKind, seeded } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { evmFamily } from '@svc/conformance/evm'
import { moveFamily } from '@svc/conformance/move'
import { svmFamily } from '@svc/conformance/svm'
import type { PinnedTerms } from '@svc/verify/inspect'
import { actsOf, explain, hiddenIn, type Intent } from '@svc/verify/intent'
import t from 'tap'
import { recorded, trust } from './support/crafts.ts'
import { protocols } from './support/intents.ts'

/** Rows of numbers by which calls are hidden in each action. */
const ROUNDS = 10

/** Ordinary transactions that are tried, of every craft in turn; SVC_ORDINARY raises it. */
const ORDINARY = Number(process.env.SVC_ORDINARY ?? 1_000)
/** Additions of wallets and custodians in one transaction at most. */
const MOST_ADDITIONS = 4

const drivers: Readonly<Record<string, (terms: PinnedTerms) => AnyFamily>> = {
  evm: () => evmFamily,
  svm: () => svmFamily,
  move: () => moveFamily,
  cosmos({ chainId }) {
    const [prefix, denom] = chainId === 'celestia' ? (['celestia', 'utia'] as const) : (['cosmos', 'uatom'] as const)
    return cosmosFamily({ prefix, denom, algorithm: 'secp256k1', chainId })
  },
}

/** Every recorded craft of the nine protocols. */
const crafts = recorded.flatMap(({ plugin, path, exchanges }) => {
  const intent = protocols.find((each) => each.path === path)
  const terms = trust.protocols.find((each) => each.path === path)?.networks[0]?.terms
  if (!intent || !terms) throw new Error(`${path} is in no trust document`)
  const family = drivers[intent.family.name]?.(terms)
  if (!family) throw new Error(`no driver of ${intent.family.name}`)
  return Object.keys(intent.actions).flatMap((action) => {
    const { request, response } = exchanges[action] ?? {}
    return response === undefined
      ? []
      : [{ plugin, intent, terms, family, action, response, signer: String(request?.[intent.family.signer]) }]
  })
})

const bytesOf = (unsigned: unknown) => {
  const [, text] = Object.entries(Object(unsigned)).find(([name]) => /^(serialized|unsigned)_tx_(hex|b64)$/.test(name)) ?? []
  return String(text)
}

/** What is hidden in it, in a sentence; null where nothing is. As `prepare` and `broadcast` find it out. */
async function hiddenOf(intent: Intent, terms: PinnedTerms, unsigned: unknown, signer: string): Promise<string | null> {
  try {
    const found = hiddenIn(intent, terms, await actsOf(intent, terms, bytesOf(unsigned)), () => signer)
    return found && `${found.phrase}, ${found.why}`
  } catch (error) {
    return `read: ${error}`
  }
}

t.test('every craft has nothing hidden in it, nor with what wallets and custodians add by themselves', async (t) => {
  for (const { plugin, action, intent, terms, family, response, signer } of crafts) {
    for (const { name, unsigned } of family.additions?.(response) ?? [])
      t.equal(await hiddenOf(intent, terms, unsigned, signer), null, `${plugin} ${action}: ${name}`)
    t.equal((await explain(intent, terms, bytesOf(response))).known, true, `${plugin} ${action} is known`)
  }
  t.ok(crafts.length > 28, `${crafts.length} crafts`)
})

t.test('nor with several of these at once, in any order', async (t) => {
  const random = seeded(20_251_128)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const texts = new Set<string>()
  let tried = 0
  for (; tried < ORDINARY; tried++) {
    const craft = crafts[tried % crafts.length]
    if (!craft) break
    const { plugin, action, intent, terms, family, response, signer } = craft
    const names: string[] = []
    let unsigned: unknown = response
    for (let more = 1 + Math.floor(random() * MOST_ADDITIONS); more > 0; more--) {
      // Nobody adds the same twice.
      const added = pick((family.additions?.(unsigned as never) ?? []).filter(({ name }) => !names.includes(name)))
      if (added === undefined) break
      names.push(added.name)
      unsigned = added.unsigned
    }
    texts.add(bytesOf(unsigned))
    const found = await hiddenOf(intent, terms, unsigned, signer)
    if (found !== null) t.fail(`${plugin} ${action}: ${names.join(', ')}: ${found}`)
  }
  t.equal(tried, ORDINARY, `${tried} ordinary transactions, ${texts.size} of them different, and none refused`)
})

t.test('every call that is hidden in a craft is found and named', async (t) => {
  const tally = new Map<HiddenKind, number>()
  const random = seeded(20_250_908)
  for (const { plugin, action, intent, terms, family, response, signer } of crafts) {
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, kind, unsigned, says } of family.hidden?.(response, random) ?? []) {
        const found = await hiddenOf(intent, terms, unsigned, signer)
        // The names that the family has for what gives something away stand in the service's sentence.
        const told =
          found !== null && (found.toLowerCase().includes(says.toLowerCase()) || / of authority|lockup|of owner|approval/.test(says))
        if (!told) t.fail(`${plugin} ${action}: ${kind}: ${name} is found and named: ${found}`)
        tally.set(kind, (tally.get(kind) ?? 0) + 1)
      }
    }
  }
  for (const [kind, count] of tally) t.ok(count > 100, `${count} of the kind ${kind}`)
  t.same([...tally.keys()].sort(), ['action', 'control', 'transfer', 'unknown'])
})

t.test('of several hidden calls that nobody knows each is named, and the honest one is not', async (t) => {
  for (const { plugin, action, intent, terms, family, response, signer } of crafts) {
    const [first] = family.hidden?.(response, seeded(1)) ?? []
    const [second] = first && intent.family.name === 'cosmos' ? (family.hidden?.(first.unsigned, seeded(2)) ?? []).slice(1) : []
    if (!first || !second) continue
    const found = String(await hiddenOf(intent, terms, second.unsigned, signer))
    t.ok(found.includes(first.says) && found.includes(second.says), `${plugin} ${action}: ${found}`)
    t.notMatch(found, /^(un)?delegate |then (un)?delegate |claim the rewards/, 'what was asked for is not among them')
  }
})

/** Thefts that change what is done; an amount and a fee are the sender's own. */
const DEEDS: readonly (string | undefined)[] = ['call', 'recipient', 'validator', 'custodian']

t.test('what a thief changes of who gets what, and of who decides, is found', async (t) => {
  let tried = 0
  for (const { plugin, action, intent, terms, family, response, signer } of crafts) {
    const { decoded, signers } = await actsOf(intent, terms, bytesOf(response))
    const promised = intent.actions[action]
    const input = promised?.requestOf?.(decoded, signers?.[0] ?? signer, terms)
    const effects = input && promised?.effects(terms, input, promised.factsOf?.(decoded, terms, input).facts)
    if (!effects) throw new Error(`${plugin} ${action} promises nothing`)
    for (const { name, theft, unsigned } of family.forgeries(response, effects)) {
      // A note moves nothing; and one action in place of another is what somebody may have asked for.
      if (!DEEDS.includes(theft) || /memo|instead$/.test(name)) continue
      const found = await hiddenOf(intent, terms, unsigned, signer)
      if (found === null) t.fail(`${plugin} ${action}: ${theft}: ${name}`)
      tried++
    }
  }
  t.ok(tried > 150, `${tried} were tried`)
})

/** Terms that say whom stake is with, each with another one of its kind. */
const OTHERS: Readonly<Record<string, string | number>> = {
  validator_id: 12_345,
  vault: '0x000000000000000000000000000000000000dEaD',
  staking: '0x000000000000000000000000000000000000dEaD',
  pool_id: `0x${'ab'.repeat(32)}`,
  pool: '8szGkuLTAux9XMgZ2vtY39jVSowEcpBfFfD8hXSEqdGC',
}

t.test('a stake with somebody else is not known, and he is named', async (t) => {
  let tried = 0
  for (const { plugin, action, intent, terms, response, signer } of crafts) {
    if (!['stake', 'delegate'].includes(action)) continue
    for (const name of Object.keys(intent.terms)) {
      const other = OTHERS[name] ?? (name === 'validator' && plugin !== 'svm-liquid' ? otherValidator(terms) : undefined)
      if (other === undefined || terms[name] === undefined) continue
      const found = await hiddenOf(intent, { ...terms, [name]: other }, response, signer)
      t.ok(found?.toLowerCase().includes(String(terms[name]).toLowerCase()), `${plugin}: another ${name}: ${found}`)
      t.equal((await explain(intent, { ...terms, [name]: other }, bytesOf(response))).known, false, `${plugin}: nor in words`)
      tried++
    }
  }
  t.ok(tried > 8, `${tried} were tried`)
})

/** A validator of the same family that is none of the terms'. */
function otherValidator({ validator }: PinnedTerms): string {
  const others: Readonly<Record<string, string>> = {
    cosmos: 'cosmosvaloper1sjllsnramtg3ewxqwwrwjxfgc4n4ef9u2lcnj0',
    celest: 'celestiavaloper1q3v5cugc8cdpud87u4zwy0a74uxkk6u43cv6hd',
  }
  return (
    others[String(validator).slice(0, 6)] ??
    (String(validator).startsWith('0x') ? `0x${'ab'.repeat(32)}` : 'Vote111111111111111111111111111111111111111')
  )
}

t.test('what an EVM call gives to an account is known for whoever signs, and for nobody else', async (t) => {
  const evm = crafts.filter(({ intent }) => intent.family.name === 'evm')
  const strangers = evm.map(async ({ plugin, action, intent, terms, response, signer }) => {
    const found = await hiddenOf(intent, terms, response, '0x000000000000000000000000000000000000dEaD')
    const isNamed = bytesOf(response).toLowerCase().includes(signer.slice(2).toLowerCase())
    t.equal(found !== null, isNamed, `${plugin} ${action}: ${found}`)
    return isNamed
  })
  t.ok((await Promise.all(strangers)).filter(Boolean).length >= 4, 'some name their receiver')
})
