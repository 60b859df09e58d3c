import { declareErrors } from '@svc/contract'
import t from 'tap'
import { svm } from '../src/index.ts'
import { clockOf, connect, nodeOf, over, preflight, RpcError, type Table, withContext } from './support/node.ts'
import { signedHex, transactions, vector } from './support/vectors.ts'

const { unavailable } = declareErrors({ UPSTREAM_DOWN: [503, 'Upstream down.'] })

const unstake = vector('unstake')
const durable = vector('stake, seed')
const SEND = 'sendTransaction'
const STAKE = 'Stake11111111111111111111111111111111111111'

async function broadcast(table: Table, sent = unstake) {
  const node = nodeOf(table)
  const ctx = connect(node)
  const answered = await svm.broadcast(ctx, { signed_tx_hex: signedHex(sent) })
  return { answered, asked: node.asked }
}

const success = { tx_hash: unstake.hash }
const unseen = { getSignatureStatuses: withContext([null]) }
const seen = { getSignatureStatuses: withContext([{ slot: 7, confirmations: null, err: null, confirmationStatus: 'finalized' }]) }
/** No node tells what the nonce account holds. */
const untold = { getMultipleAccounts: new RpcError(-32_601, 'no') }
const sample = { getRecentPerformanceSamples: [{ slot: 7, numSlots: 170, samplePeriodSecs: 60, numTransactions: 1 }] }

for (const each of transactions.transactions)
  t.test(`${each.name}: sent as it came, and known by its first signature`, async (t) => {
    let params: unknown
    const node = nodeOf({
      [SEND]: (given: unknown) => {
        params = given
        return each.hash
      },
    })
    t.same(await svm.broadcast(connect(node), { signed_tx_hex: `0x${signedHex(each)}` }), { tx_hash: each.hash })
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight: false }
    t.same(params, [Buffer.from(signedHex(each), 'hex').toString('base64'), options])
  })

t.test('a node that answers another hash than the bytes have did not take them', async (t) => {
  for (const answer of ['another', durable.hash, null, 7, {}, true])
    await t.rejects(broadcast({ [SEND]: answer }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, JSON.stringify(answer))
})

t.test('nothing is sent to a node of another cluster, or to one that is behind', async (t) => {
  const devnet = { getGenesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG' }
  await t.rejects(broadcast(devnet), { statusCode: 502, code: 'UPSTREAM_OTHER_CHAIN' })
  await t.rejects(broadcast({ getAccountInfo: clockOf(301) }), { statusCode: 503, code: 'UPSTREAM_BEHIND' })
})

t.test('what has landed already is a success', async (t) => {
  t.same((await broadcast({ [SEND]: preflight('AlreadyProcessed') })).answered, success)
  t.same((await broadcast({ [SEND]: preflight('BlockhashNotFound'), ...seen, ...sample })).answered, success)
  const later = await broadcast({ [SEND]: preflight('BlockhashNotFound'), ...seen, ...untold }, durable)
  t.same(later.answered, { tx_hash: durable.hash })
})

t.test('whether one with an old block hash has landed is asked of every endpoint', async (t) => {
  const refusing = { [SEND]: preflight('BlockhashNotFound'), ...sample }
  const sent = (...tables: readonly Table[]) =>
    svm.broadcast(connect(over(...tables.map((table) => nodeOf(table)))), { signed_tx_hex: signedHex(unstake) })
  t.same(await sent({ ...refusing, ...unseen }, { ...seen, ...sample }), success)
  t.same(await sent({ ...refusing, ...seen }, {}), success, 'who knows it is asked alone')
  await t.rejects(sent({ ...refusing, ...unseen }, { ...unseen, ...sample }), { code: 'TRANSACTION_EXPIRED' }, 'none knows it')
})

t.test('a transaction that expired is told how long one lives', async (t) => {
  const expired = (table: Table) => broadcast({ [SEND]: preflight('BlockhashNotFound'), ...unseen, ...table })
  const refusal = (message: RegExp) => ({ statusCode: 400, code: 'TRANSACTION_EXPIRED', message })
  await t.rejects(expired(sample), refusal(/150 blocks, which are about 53 seconds at present/))
  for (const getRecentPerformanceSamples of [[], [{}], [{ numSlots: 0, samplePeriodSecs: 60 }], 7, new RpcError(-32_601, 'no')])
    await t.rejects(expired({ getRecentPerformanceSamples }), refusal(/lives for 150 blocks;/))
})

t.test('why a nonce is refused is told by what its account holds now', async (t) => {
  const { address, data } = transactions.nonceAccount
  const holding = (bytes: Buffer | null, owner = '11111111111111111111111111111111') => ({
    getMultipleAccounts: withContext([
      bytes && { lamports: 1_447_680, owner, data: [bytes.toString('base64'), 'base64'], executable: false },
    ]),
  })
  const now = Buffer.from(data, 'hex')
  const other = Buffer.from(now)
  other.writeUInt8(other.readUInt8(40) ^ 1, 40)
  const cases: readonly (readonly [Table, RegExp])[] = [
    [
      holding(now),
      new RegExp(`the nonce account ${address} was made or used in the last block: send the same one again in a few seconds\\. One`),
    ],
    [holding(other), new RegExp(`its nonce was used meanwhile, and the nonce account ${address} holds another one now\\. One`)],
    [holding(null), new RegExp(`${address} is no nonce account at present: it was closed, or`)],
    [holding(now, STAKE), /is no nonce account at present/],
    [untold, /used meanwhile, or was made or used in the last block/],
    [{ getMultipleAccounts: 7 }, /used meanwhile, or was made or used in the last block/],
  ]
  for (const [table, message] of cases) {
    const sent = broadcast({ [SEND]: preflight('BlockhashNotFound'), ...unseen, ...table }, durable)
    await t.rejects(sent, { statusCode: 400, code: 'NONCE_USED', txHash: durable.hash, message })
  }
})

t.test('one that was sent to the wrong network is told that it is still good where it belongs', async (t) => {
  const table = { [SEND]: preflight('BlockhashNotFound'), ...unseen, ...sample, ...untold }
  for (const sent of [unstake, durable])
    await t.rejects(broadcast(table, sent), { message: /for another network than mainnet-beta has not expired: send it there\./ })
})

const POOL = 'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy'
const failed = (program: string, code: number) => `Program ${program} failed: custom program error: 0x${code.toString(16)}`
const custom = (index: number, Custom: number) => ({ InstructionError: [index, { Custom }] })

t.test('what the chain refuses is a 400 or a 503 with what to do', async (t) => {
  const unstakeLiquid = vector('liquid unstake')
  const cases: [error: RpcError, status: number, code: string, message: RegExp, sent?: typeof unstake][] = [
    [preflight('InsufficientFundsForFee'), 400, 'INSUFFICIENT_BALANCE', /does not hold the fee/],
    [preflight('AccountNotFound'), 400, 'INSUFFICIENT_BALANCE', /holds nothing/],
    [preflight({ InsufficientFundsForRent: { account_index: 0 } }), 400, 'INSUFFICIENT_BALANCE', /rent/],
    [
      preflight({ InstructionError: [2, 'InsufficientFunds'] }, [failed('11111111111111111111111111111111', 1)]),
      400,
      'INSUFFICIENT_BALANCE',
      /: an account does not hold what.*which may have risen since it was asked for/,
    ],
    [
      preflight({ InstructionError: [2, 'InsufficientFunds'] }, [
        'Program Stake11111111111111111111111111111111111111 failed: insufficient funds',
      ]),
      400,
      'INSUFFICIENT_STAKE',
      /: a stake account does not hold what/,
    ],
    [
      preflight({ InstructionError: [2, { Custom: 0 }] }, [
        'Program ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL failed: custom program error: 0x0',
      ]),
      400,
      'AUTHORITY_OTHER',
      /token account was given to another owner/,
    ],
    [preflight(custom(2, 1), [failed('11111111111111111111111111111111', 1), failed(STAKE, 1)]), 400, 'INSUFFICIENT_BALANCE', /wallet/],
    [preflight(custom(2, 2)), 400, 'STAKE_DEACTIVATED', /refused the transaction: the stake account is deactivated already/],
    [preflight(custom(2, 16)), 503, 'EPOCH_REWARDS', /try again in a minute/],
    [preflight(custom(2, 17)), 400, 'CHAIN_REFUSED', /instruction 2, of the program Stake1+, failed with its error 17/],
    [preflight(custom(2, 17)), 503, 'POOL_UPDATING', /brought up to date/, unstakeLiquid],
    [preflight(custom(2, 43)), 503, 'EPOCH_REWARDS', /rewards/, unstakeLiquid],
    [preflight(custom(2, 12), [failed(STAKE, 12), failed(POOL, 12)]), 400, 'STAKE_TOO_SMALL', /less than the chain takes/, unstakeLiquid],
    [preflight(custom(2, 12), [failed(POOL, 12)]), 400, 'CHAIN_REFUSED', /UserStakeNotActive/, unstakeLiquid],
    [preflight('SignatureFailure'), 400, 'SIGNATURE_INVALID', /signature/],
    [preflight('TooManyAccountLocks'), 400, 'CHAIN_REFUSED', /TooManyAccountLocks/],
    [new RpcError(-32_002, 'Transaction simulation failed'), 400, 'CHAIN_REFUSED', /does not say why/],
    [new RpcError(-32_003, 'Transaction signature verification failure'), 400, 'SIGNATURE_INVALID', /Sign it as crafted/],
    [new RpcError(-32_602, 'invalid transaction: too large'), 400, 'TRANSACTION_INVALID', /malformed or too large/],
  ]
  for (const [error, statusCode, code, message, sent] of cases)
    await t.rejects(broadcast({ [SEND]: error }, sent), { statusCode, code, message }, `${JSON.stringify(error.data)} ${error.code}`)
})

t.test('a refusal by one node tells the hash to look up, since another may have taken the bytes', async (t) => {
  for (const error of [
    preflight('SignatureFailure'),
    preflight('TooManyAccountLocks'),
    preflight({ InstructionError: [2, 'ComputationalBudgetExceeded'] }),
    new RpcError(-32_002, 'Transaction simulation failed'),
    new RpcError(-32_003, 'Transaction signature verification failure'),
    new RpcError(-32_602, 'invalid base64 encoding: InvalidByte(0, 33)'),
  ]) {
    const message = /It may have landed, and the same bytes may land yet: look tx_hash up before you craft another\.$/
    await t.rejects(broadcast({ [SEND]: error }), { statusCode: 400, txHash: unstake.hash, message }, `${error.code} ${error.message}`)
  }
})

t.test('a node that could not say names the hash to look up', async (t) => {
  const cases: [answer: unknown, status: number, code: string][] = [
    [new RpcError(-32_005, 'Node is behind by 42 slots'), 503, 'UPSTREAM_BEHIND'],
    [new RpcError(-32_014, 'Block status not yet available'), 503, 'UPSTREAM_BEHIND'],
    [new RpcError(-32_016, 'Minimum context slot has not been reached'), 503, 'UPSTREAM_BEHIND'],
    [new RpcError(-32_601, 'Method not found'), 502, 'UPSTREAM_ERROR'],
    [new RpcError(-32_603, 'Internal error'), 502, 'UPSTREAM_ERROR'],
    [new RpcError(-32_000, 'see https://node.example/secret'), 502, 'UPSTREAM_ERROR'],
    [new RpcError(429, 'Too many requests'), 503, 'UPSTREAM_BUSY'],
    [{}, 502, 'UPSTREAM_ERROR'],
    [null, 502, 'UPSTREAM_ERROR'],
    [unavailable('UPSTREAM_DOWN', 'all are down', 5), 503, 'UPSTREAM_DOWN'],
  ]
  for (const [error, statusCode, code] of cases) {
    const refusal = (await broadcast({ [SEND]: error }).catch((thrown: unknown) => thrown)) as Error
    t.match(refusal, { statusCode, code }, String(code))
    t.notMatch(refusal.message, 'node.example')
    t.notMatch(refusal.message, /craft again/i, 'no advice that can lead to a second stake')
  }
  for (const getSignatureStatuses of [null, {}, withContext(null), withContext([]), withContext([7])])
    await t.rejects(broadcast({ [SEND]: preflight('BlockhashNotFound'), getSignatureStatuses, ...sample }), {
      statusCode: 502,
      code: 'UPSTREAM_ERROR',
    })
  const statuses = { [SEND]: preflight('BlockhashNotFound'), getSignatureStatuses: new RpcError(-32_005, 'behind'), ...sample }
  await t.rejects(broadcast(statuses), { statusCode: 503, code: 'UPSTREAM_BEHIND' })
})

t.test('what is not fully and rightly signed is refused before anything is sent', async (t) => {
  const ctx = connect(nodeOf({}))
  const send = (signed_tx_hex: string) => svm.broadcast(ctx, { signed_tx_hex })
  await t.rejects(send(unstake.unsigned), { statusCode: 400, code: 'SIGNATURE_MISSING', message: /AKnL4/ })
  const wrong = `01${vector('withdraw').walletSignature}${unstake.unsigned.slice(130)}`
  await t.rejects(send(wrong), { statusCode: 400, code: 'SIGNATURE_INVALID', message: /AKnL4.* does not fit the transaction/ })
  await t.rejects(send(signedHex(unstake).slice(2)), { statusCode: 400, code: 'TRANSACTION_INVALID' })
  await t.rejects(send(''), { statusCode: 400, code: 'HEX_INVALID' })
})
