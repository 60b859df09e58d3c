// What a validator said to a transaction, word for word, and what the service makes of it: reviewed one by one.
import { membersOf } from '@svc/contract'
import { singleEndpoint } from '@svc/contract/host'
import { PublicKey, SystemProgram } from '@svc/solana'
import { recordings } from '@svc/testing/recordings'
import t from 'tap'
import { STAKE_ERRORS } from '../src/errors/stake.ts'
import { STAKE_POOL_ERRORS } from '../src/errors/stake-pool.ts'
import { SYSTEM_ERRORS } from '../src/errors/system.ts'
import { TOKEN_ERRORS } from '../src/errors/token.ts'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from '../src/errors/transaction.ts'
import { svm } from '../src/index.ts'
import { answers, connect, nodeOf, preflight } from './support/node.ts'
import { RECORDED, recordedNode } from './support/recorded.ts'
import { signedHex, transactions, vector } from './support/vectors.ts'

interface Refused {
  readonly statusCode: number
  readonly code: string
  readonly message: string
  readonly txHash?: string | undefined
}

const SYSTEM = '11111111111111111111111111111111'
const STAKE = 'Stake11111111111111111111111111111111111111'
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const POOL = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'
const LOOK = 'It may have landed, and the same bytes may land yet: look tx_hash up before you craft another.'
const SENT = 'The chain refused the transaction'
const CRAFTED = 'The chain would refuse this transaction'
/** What is wrong with a transaction, as both say it. */
const WRONG = {
  empty: 'the wallet holds nothing, so it cannot pay the fee; fund it.',
  few: 'the wallet does not hold what is to be taken out of it; fund it.',
  program: 'one of its programs does not exist on this chain (ProgramAccountNotFound).',
  rent: 'an account would be left with less than the rent that it must hold, and with more than nothing; leave more in the wallet.',
  signature: 'a signature does not fit it; sign the message as crafted.',
  staked:
    'a stake account does not hold what is to be taken out of it, or would keep less than its rent, as when lamports came in meanwhile; give a smaller amount.',
} as const
const OTHERS = 'One that was crafted for another network than localnet has not expired: send it there.'
const EXPIRED = `${SENT}: its node does not know the block hash, which is no longer valid, or is newer than what the node has seen. One lives for 150 blocks, which are about 89 seconds at present; sign sooner, or use a nonce account. ${OTHERS} ${LOOK}`
const MALFORMED = [400, 'TRANSACTION_INVALID', `${SENT}: it is malformed or too large. Pass what prepare returned. ${LOOK}`] as const

/** By recording: status, code and sentence of a broadcast; null where it is a success. */
const BROADCASTS: Readonly<Record<string, readonly [status: number, code: string, sentence: string] | null>> = {
  'send-account-in-use': [400, 'ACCOUNT_EXISTS', `${SENT}: the account that it makes exists already. ${LOOK}`],
  'send-bad-encoding': MALFORMED,
  'send-below-rent': [400, 'INSUFFICIENT_BALANCE', `${SENT}: ${WRONG.rent} ${LOOK}`],
  'send-cut': MALFORMED,
  'send-empty': MALFORMED,
  'send-forged': [400, 'SIGNATURE_INVALID', `${SENT}: ${WRONG.signature} ${LOOK}`],
  // The node has not come as far as the block hash, and may have taken the bytes from elsewhere.
  'send-min-context': [503, 'UPSTREAM_BEHIND', "The chain's node has not caught up with its chain; try again in a minute."],
  'send-no-blockhash': [400, 'TRANSACTION_EXPIRED', EXPIRED],
  'send-no-funds': [400, 'INSUFFICIENT_BALANCE', `${SENT}: ${WRONG.few} ${LOOK}`],
  'send-no-payer': [400, 'INSUFFICIENT_BALANCE', `${SENT}: ${WRONG.empty} ${LOOK}`],
  'send-no-program': [400, 'CHAIN_REFUSED', `${SENT}: ${WRONG.program} ${LOOK}`],
  'send-not-base64': MALFORMED,
  'send-stake-deactivated-early': [400, 'INSUFFICIENT_STAKE', `${SENT}: ${WRONG.staked} ${LOOK}`],
  'send-stake-no-account': [
    400,
    'CHAIN_REFUSED',
    `${SENT}: an account belongs to another program than it should (InvalidAccountOwner). ${LOOK}`,
  ],
  'send-stake-no-vote': [
    400,
    'CHAIN_REFUSED',
    `${SENT}: an account belongs to another program than it should (IncorrectProgramId). ${LOOK}`,
  ],
  'send-stake-other-authority': [
    400,
    'AUTHORITY_OTHER',
    `${SENT}: an account is under the authority of somebody else than the wallet. ${LOOK}`,
  ],
  'send-stake-small': [
    400,
    'STAKE_TOO_SMALL',
    `${SENT}: a stake account would have less than the chain takes to delegate; give a larger amount. ${LOOK}`,
  ],
  'send-too-large': MALFORMED,
  'send-too-long': MALFORMED,
  // Answered with the signature of other bytes than those that were sent here.
  'send-skip-preflight-forged': [502, 'UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again."],
  'send-skip-preflight-no-blockhash': [502, 'UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again."],
  'send-trailing': [502, 'UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again."],
  'send-twice': null,
  'send-unsigned': [400, 'SIGNATURE_INVALID', `${SENT}: ${WRONG.signature} ${LOOK}`],
}

/** The same of a craft; a number is the limit of compute units that comes of it. */
const CRAFTS: Readonly<Record<string, readonly [status: number, code: string, sentence: string] | number>> = {
  simulate: 540,
  'simulate-accounts': 540,
  'simulate-below-rent': [400, 'INSUFFICIENT_BALANCE', `${CRAFTED}: ${WRONG.rent}`],
  'simulate-cut': [502, 'UPSTREAM_ERROR', "The chain's node could not answer; try again."],
  'simulate-landed': [400, 'CHAIN_WOULD_REFUSE', `${CRAFTED}: it says AlreadyProcessed.`],
  'simulate-no-blockhash': [400, 'CHAIN_WOULD_REFUSE', `${CRAFTED}: it says BlockhashNotFound.`],
  'simulate-no-funds': [400, 'INSUFFICIENT_BALANCE', `${CRAFTED}: ${WRONG.few}`],
  'simulate-no-payer': [400, 'INSUFFICIENT_BALANCE', `${CRAFTED}: ${WRONG.empty}`],
  'simulate-no-program': [400, 'CHAIN_WOULD_REFUSE', `${CRAFTED}: ${WRONG.program}`],
  'simulate-replace': 540,
  'simulate-stake-early': [400, 'INSUFFICIENT_STAKE', `${CRAFTED}: ${WRONG.staked}`],
  'simulate-unsigned': 540,
  'simulate-verify-forged': [400, 'SIGNATURE_INVALID', `${CRAFTED}: ${WRONG.signature}`],
  'simulate-verify-replace': [502, 'UPSTREAM_ERROR', "The chain's node could not answer; try again."],
}

const named = (start: string) => [...recordings('solana').keys()].filter((name) => name === start || name.startsWith(`${start}-`))
/** Of a node's own: paths, crates, types of its language, instructions to programmers. */
const INTERNAL = /\/|::|\bsolana|agave|serde|io error|InvalidByte|variant|params|preflight|simulation|[{}`]/i

t.test('what a validator said to a transaction that was sent is told in the words of the table', async (t) => {
  const sent = vector('unstake')
  for (const name of named('send')) {
    const node = recordedNode({
      sendTransaction: name,
      getSignatureStatuses: () => ({ context: { slot: 149 }, value: [null] }),
      getRecentPerformanceSamples: 'performance',
      getGenesisHash: 'genesis-hash',
    })
    const ctx = connect(node, RECORDED, 'localnet')
    const told = await svm.broadcast(ctx, { signed_tx_hex: signedHex(sent) }).then(
      () => null,
      (refused: Refused) => refused,
    )
    t.same(told && [told.statusCode, told.code, told.message], BROADCASTS[name], name)
    if (told === null) continue
    t.notMatch(told.message, INTERNAL, name)
    t.notMatch(told.message, /craft again/i, name)
    if (told.statusCode < 500) t.equal(told.txHash, sent.hash, name)
  }
  t.same(Object.keys(BROADCASTS).sort(), named('send').sort())
})

const from = new PublicKey(transactions.wallet)
const transfer = {
  feePayer: transactions.wallet,
  instructions: [SystemProgram.transfer({ fromPubkey: from, toPubkey: from, lamports: 7 })],
  unitLimit: 1_000,
  spends: 7n,
}

t.test('no error of any table advises another craft of a transaction that was sent', async (t) => {
  const programs = { [SYSTEM]: SYSTEM_ERRORS, [STAKE]: STAKE_ERRORS, [TOKEN]: TOKEN_ERRORS, [POOL]: STAKE_POOL_ERRORS }
  const verdicts: [err: unknown, logs: readonly string[]][] = [
    ...Object.keys(TRANSACTION_ERRORS).map((name): [unknown, string[]] => [name, []]),
    ...Object.keys(INSTRUCTION_ERRORS).map((name): [unknown, string[]] => [{ InstructionError: [2, name] }, []]),
    ...Object.entries(programs).flatMap(([program, table]) =>
      Object.keys(table).map((number): [unknown, string[]] => [
        { InstructionError: [2, { Custom: Number(number) }] },
        [`Program ${program} failed: custom program error: 0x${Number(number).toString(16)}`],
      ]),
    ),
  ]
  t.ok(verdicts.length > 100)
  const sent = vector('unstake')
  for (const [err, logs] of verdicts) {
    const ctx = connect(nodeOf({ sendTransaction: preflight(err, logs) }))
    const told: Refused = await svm.broadcast(ctx, { signed_tx_hex: signedHex(sent) }).then(
      () => t.fail('it was taken'),
      (refused) => refused,
    )
    t.notMatch(told.message, /craft (?:again|anew)/i, JSON.stringify(err))
    if (told.statusCode < 500) t.ok(told.message.endsWith(LOOK) && told.txHash === sent.hash, told.message)
  }
})

t.test('what a validator said to a transaction that was tried is told in the words of the table', async (t) => {
  for (const name of named('simulate')) {
    const { result, error } = membersOf(recordings('solana').get(name)?.response.body)
    // The transaction that was tried had one instruction, and none of the compute budget.
    const value = { ...membersOf(membersOf(result).value) }
    if (value.err === null) value.unitsConsumed = Number(value.unitsConsumed) + 2 * 150
    const simulated = recordedNode({ simulateTransaction: result === undefined ? name : () => ({ context: { slot: 149 }, value }) })
    const others = nodeOf(answers(1000))
    const node = {
      fetch: ((url: string, init: RequestInit) =>
        (String(init.body).includes('simulateTransaction') ? simulated : others).fetch(url, init)) as typeof fetch,
    }
    const ctx = connect(node, { ...RECORDED, genesis_hash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d', unit_price: 0 }, 'localnet')
    const told = await svm.assemble(ctx, transfer, svm.preflight(ctx, transactions.wallet, {})).then(
      ({ terms }) => Number(terms.unitLimit),
      ({ statusCode, code, message }: Refused) => [statusCode, code, message],
    )
    t.same(told, CRAFTS[name], name)
    if (typeof told !== 'number') t.notMatch(told[2], INTERNAL, name)
    t.not(error !== undefined && Array.isArray(told) && told[0] === 400, `${name}: an error is no verdict of a simulation`)
  }
  t.same(Object.keys(CRAFTS).sort(), named('simulate').sort())
})

/** A whole validator, as far as `svc check` asks it. */
const VALIDATOR = {
  getGenesisHash: 'genesis-hash',
  getAccountInfo: 'account-clock',
  getMultipleAccounts: 'accounts-none',
  getEpochInfo: 'epoch-info',
  getVoteAccounts: 'vote-accounts-unknown',
  getMinimumBalanceForRentExemption: 'rent',
  getLatestBlockhash: 'latest-blockhash',
  simulateTransaction: 'simulate-cut',
  sendTransaction: 'send-empty',
  getSignatureStatuses: 'statuses',
  getTransaction: 'transaction-none',
  getSignaturesForAddress: 'signatures-none',
  isBlockhashValid: 'blockhash-unknown',
  getFirstAvailableBlock: 'first-available-block',
  getRecentPrioritizationFees: 'priority-fees',
  getRecentPerformanceSamples: 'performance',
}

t.test('svc check misses nothing of a validator, and each method that one has not', async (t) => {
  const probe = async (names: Readonly<Record<string, string>>) => {
    const upstream = singleEndpoint(recordedNode(names).fetch)
    const ctx = { ...connect(upstream, RECORDED, 'localnet'), upstream } as never
    const found = await Promise.all((svm.requirements ?? []).map(({ probe: ask }) => ask?.(ctx)))
    return found.filter((each) => typeof each === 'string')
  }
  t.same(await probe(VALIDATOR), [])
  const asked = new Set((svm.requirements ?? []).flatMap(({ calls }) => calls))
  t.same([...asked].sort(), Object.keys(VALIDATOR).sort())
  for (const method of asked) {
    if (method === 'getFirstAvailableBlock' || method === 'getEpochInfo') continue
    for (const name of ['method-unknown', 'method-removed'])
      t.same(await probe({ ...VALIDATOR, [method]: name }), [`${method}: Method not found`], `${method}, ${name}`)
  }
})
