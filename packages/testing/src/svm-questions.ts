import { base58, deactivate, SVM, type SvmKey, stakeInstructions, svmKey, svmTransaction, transfer, withdrawStake } from './svm-message.ts'

/** A node of Solana that can be asked: a real one, or the stand-in. */
export interface SvmGround {
  readonly url: string
  /** With funds. */
  readonly payer: SvmKey
  /** A vote account of the cluster. */
  readonly vote: string
  /** Returns when what was sent before is final. */
  settle(): Promise<void>
}

/** What a question is asked about; all of it is final. */
export interface SvmFacts {
  readonly payer: SvmKey
  readonly vote: string
  readonly other: string
  /** A stake account that was delegated in this epoch. */
  readonly stake: string
  readonly blockhash: string
  readonly slot: number
  /** A transfer, with its bytes. */
  readonly landed: { readonly bytes: Buffer; readonly id: string }
  /** A transfer of more than there was, sent without preflight. */
  readonly failed: { readonly bytes: Buffer; readonly id: string }
  /** Signs anything under the block hash. */
  signed(...instructions: Parameters<typeof svmTransaction>[0]): { readonly bytes: Buffer; readonly id: string }
}

/** A question and its situation. `body` is JSON, or a text where it is none. */
export interface SvmQuestion {
  readonly name: string
  readonly situation: string
  readonly http: string
  readonly body?: (facts: SvmFacts) => unknown
}

const SOL = 1_000_000_000n
/** An address that nothing stands at. */
const NOBODY = svmKey('nobody').address
/** A signature of nothing. */
const NOTHING = base58(Buffer.alloc(64, 7))
/** A block hash of no block. */
const NO_BLOCK = base58(Buffer.alloc(32, 9))
/** Lamports beyond what any wallet here has. */
const TOO_MUCH = 10n ** 18n
const TRIES = 600

/** Asks a node. */
export async function askSvm(url: string, { http, body }: { readonly http: string; readonly body?: unknown }): Promise<SvmAnswer> {
  const [method = 'GET', path = '/'] = http.split(' ')
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(new URL(path, url), {
    method,
    ...(text === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } }),
  })
  const contentType = answer.headers.get('content-type')
  const answered = await answer.text()
  return { status: answer.status, ...(contentType === null ? {} : { contentType }), body: jsonOf(answered) }
}

/** An answer, as a recording keeps it. */
export interface SvmAnswer {
  readonly status: number
  readonly contentType?: string
  readonly body: unknown
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Sends what the questions are about, and waits until it is final. */
export async function prepareSvm({ url, payer, vote, settle }: SvmGround): Promise<SvmFacts> {
  const call = async (method: string, params: readonly unknown[]) => {
    const { body } = await askSvm(url, { http: 'POST /', body: { jsonrpc: '2.0', id: 1, method, params } })
    const { result, error } = body as { readonly result?: unknown; readonly error?: unknown }
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }
  const latest = async () => {
    const { value } = (await call('getLatestBlockhash', [{ commitment: 'confirmed' }])) as {
      readonly value: { readonly blockhash: string }
    }
    return value.blockhash
  }
  const send = async (transaction: { readonly bytes: Buffer; readonly id: string }, skipPreflight = false) => {
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight }
    await call('sendTransaction', [transaction.bytes.toString('base64'), options])
    for (let tries = 0; tries < TRIES; tries++) {
      const { value } = (await call('getSignatureStatuses', [[transaction.id]])) as {
        readonly value: readonly (null | { confirmationStatus: string })[]
      }
      if (value[0] && value[0].confirmationStatus !== 'processed') return transaction
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new Error(`${transaction.id} did not land`)
  }
  const [account, other] = [svmKey('stake account'), svmKey('other').address]
  const landed = await send(svmTransaction([transfer(payer.address, other, SOL)], [payer], await latest()))
  const failed = await send(svmTransaction([transfer(payer.address, other, TOO_MUCH)], [payer], await latest()), true)
  await send(svmTransaction(stakeInstructions(payer.address, account.address, vote, 3n * SOL), [payer, account], await latest()))
  await settle()
  const blockhash = await latest()
  return {
    payer,
    vote,
    other,
    stake: account.address,
    blockhash,
    slot: Number(await call('getSlot', [{ commitment: 'confirmed' }])),
    landed,
    failed,
    signed: (...instructions) => svmTransaction(instructions, [payer], blockhash),
  }
}

const CONFIRMED = { commitment: 'confirmed' }
const BASE64 = { encoding: 'base64', ...CONFIRMED }

function rpc(name: string, situation: string, method: string, params: (facts: SvmFacts) => readonly unknown[]): SvmQuestion {
  return { name, situation, http: 'POST /', body: (facts) => ({ jsonrpc: '2.0', id: 1, method, params: params(facts) }) }
}

function raw(name: string, situation: string, body: unknown): SvmQuestion {
  return { name, situation, http: 'POST /', body: () => body }
}

const send = (name: string, situation: string, bytes: (facts: SvmFacts) => Buffer | string, more: object = {}) =>
  rpc(name, situation, 'sendTransaction', (facts) => [
    textOf(bytes(facts)),
    { encoding: 'base64', preflightCommitment: 'confirmed', ...more },
  ])
const simulate = (name: string, situation: string, bytes: (facts: SvmFacts) => Buffer | string, more: object = {}) =>
  rpc(name, situation, 'simulateTransaction', (facts) => [textOf(bytes(facts)), { ...BASE64, ...more }])
const textOf = (bytes: Buffer | string) => (typeof bytes === 'string' ? bytes : bytes.toString('base64'))

/** A transaction with one bit of its signature turned. */
const forged = (bytes: Buffer) => Buffer.from(bytes.map((byte, place) => (place === 10 ? byte ^ 1 : byte)))
/** A transaction whose signature is zeros. */
const unsigned = (bytes: Buffer) => Buffer.from(bytes.map((byte, place) => (place >= 1 && place < 65 ? 0 : byte)))

/** Every question, in an order in which none spoils a later one. */
export const svmQuestions: readonly SvmQuestion[] = [
  // The node and its chain.
  { name: 'health-get', situation: 'GET /health', http: 'GET /health' },
  { name: 'root-get', situation: 'GET /', http: 'GET /' },
  rpc('health', 'getHealth', 'getHealth', () => []),
  rpc('version', 'getVersion', 'getVersion', () => []),
  rpc('genesis-hash', 'getGenesisHash', 'getGenesisHash', () => []),
  rpc('slot', 'getSlot', 'getSlot', () => [CONFIRMED]),
  rpc('slot-min-context', 'getSlot with a slot that the node has not reached', 'getSlot', ({ slot }) => [
    { ...CONFIRMED, minContextSlot: slot + 100_000 },
  ]),
  rpc('block-height', 'getBlockHeight', 'getBlockHeight', () => [CONFIRMED]),
  rpc('epoch-info', 'getEpochInfo', 'getEpochInfo', () => [CONFIRMED]),
  rpc('epoch-schedule', 'getEpochSchedule', 'getEpochSchedule', () => []),
  rpc('latest-blockhash', 'getLatestBlockhash', 'getLatestBlockhash', () => [CONFIRMED]),
  rpc('blockhash-valid', 'isBlockhashValid of a recent block hash', 'isBlockhashValid', ({ blockhash }) => [blockhash, CONFIRMED]),
  rpc('blockhash-unknown', 'isBlockhashValid of no block', 'isBlockhashValid', () => [NO_BLOCK, CONFIRMED]),
  rpc('first-available-block', 'getFirstAvailableBlock', 'getFirstAvailableBlock', () => []),
  rpc('inflation-rate', 'getInflationRate', 'getInflationRate', () => []),
  rpc('inflation-governor', 'getInflationGovernor', 'getInflationGovernor', () => []),
  rpc('inflation-reward-none', 'getInflationReward of an address without rewards', 'getInflationReward', () => [[NOBODY], CONFIRMED]),
  rpc('inflation-reward-future', 'getInflationReward of an epoch that is not over', 'getInflationReward', ({ vote }) => [
    [vote],
    { ...CONFIRMED, epoch: 1_000_000 },
  ]),
  rpc('supply', 'getSupply without the list of accounts', 'getSupply', () => [{ ...CONFIRMED, excludeNonCirculatingAccountsList: true }]),
  rpc('performance', 'getRecentPerformanceSamples', 'getRecentPerformanceSamples', () => [1]),
  rpc('priority-fees', 'getRecentPrioritizationFees of an account', 'getRecentPrioritizationFees', ({ payer }) => [[payer.address]]),
  rpc('stake-minimum', 'getStakeMinimumDelegation', 'getStakeMinimumDelegation', () => [CONFIRMED]),
  rpc('rent', 'getMinimumBalanceForRentExemption of 200 bytes', 'getMinimumBalanceForRentExemption', () => [200]),
  rpc('vote-accounts', 'getVoteAccounts of one', 'getVoteAccounts', ({ vote }) => [{ ...CONFIRMED, votePubkey: vote }]),
  rpc('vote-accounts-unknown', 'getVoteAccounts of an address that is none', 'getVoteAccounts', () => [
    { ...CONFIRMED, votePubkey: NOBODY },
  ]),

  // Accounts.
  rpc('account-wallet', 'getAccountInfo of a wallet', 'getAccountInfo', ({ other }) => [other, BASE64]),
  rpc('account-none', 'getAccountInfo of nothing', 'getAccountInfo', () => [NOBODY, BASE64]),
  rpc('account-stake', 'getAccountInfo of a stake account', 'getAccountInfo', ({ stake }) => [stake, BASE64]),
  rpc('account-slice', 'getAccountInfo of a part', 'getAccountInfo', ({ stake }) => [
    stake,
    { ...BASE64, dataSlice: { offset: 12, length: 32 } },
  ]),
  rpc('account-slice-beyond', 'getAccountInfo of a part behind the end', 'getAccountInfo', ({ stake }) => [
    stake,
    { ...BASE64, dataSlice: { offset: 500, length: 32 } },
  ]),
  rpc('account-clock', 'getAccountInfo of the clock', 'getAccountInfo', () => [SVM.clock, BASE64]),
  rpc('account-base58-long', 'getAccountInfo of 200 bytes in base58', 'getAccountInfo', ({ stake }) => [
    stake,
    { encoding: 'base58', ...CONFIRMED },
  ]),
  rpc('account-no-encoding', 'getAccountInfo of a wallet without an encoding', 'getAccountInfo', ({ other }) => [other, CONFIRMED]),
  rpc('account-bad-encoding', 'getAccountInfo in an encoding that there is not', 'getAccountInfo', ({ other }) => [
    other,
    { encoding: 'hex' },
  ]),
  rpc('account-bad-address', 'getAccountInfo of a text that is no base58', 'getAccountInfo', () => ['0OIl', BASE64]),
  rpc('account-short-address', 'getAccountInfo of an address cut short', 'getAccountInfo', () => ['3yZe7d', BASE64]),
  rpc('account-bad-commitment', 'getAccountInfo at a commitment that there is not', 'getAccountInfo', ({ other }) => [
    other,
    { commitment: 'sure' },
  ]),
  rpc('account-no-params', 'getAccountInfo without parameters', 'getAccountInfo', () => []),
  rpc('account-number', 'getAccountInfo of a number', 'getAccountInfo', () => [7]),
  rpc('account-token-program', 'getAccountInfo of the token program, of its first bytes', 'getAccountInfo', () => [
    SVM.token,
    { ...BASE64, dataSlice: { offset: 0, length: 4 } },
  ]),
  rpc('balance', 'getBalance', 'getBalance', ({ other }) => [other, CONFIRMED]),
  rpc('balance-none', 'getBalance of nothing', 'getBalance', () => [NOBODY, CONFIRMED]),
  rpc('accounts', 'getMultipleAccounts, one of which is not there', 'getMultipleAccounts', ({ stake }) => [
    [stake, NOBODY, SVM.clock],
    BASE64,
  ]),
  rpc('accounts-101', 'getMultipleAccounts of 101', 'getMultipleAccounts', ({ other }) => [
    Array.from({ length: 101 }, () => other),
    BASE64,
  ]),
  rpc('accounts-none', 'getMultipleAccounts of none', 'getMultipleAccounts', () => [[], BASE64]),
  rpc('program-accounts', 'getProgramAccounts by size and withdrawer', 'getProgramAccounts', ({ payer }) => [
    SVM.stake,
    { ...BASE64, filters: [{ dataSize: 200 }, { memcmp: { offset: 44, bytes: payer.address } }] },
  ]),
  rpc('program-accounts-context', 'getProgramAccounts with its slot', 'getProgramAccounts', ({ payer }) => [
    SVM.stake,
    {
      ...BASE64,
      withContext: true,
      dataSlice: { offset: 0, length: 0 },
      filters: [{ memcmp: { offset: 44, bytes: payer.address, encoding: 'base58' } }],
    },
  ]),
  rpc('program-accounts-none', 'getProgramAccounts that finds nothing', 'getProgramAccounts', () => [
    SVM.stake,
    { ...BASE64, filters: [{ dataSize: 7 }] },
  ]),
  rpc('program-accounts-five-filters', 'getProgramAccounts with five filters', 'getProgramAccounts', () => [
    SVM.stake,
    { ...BASE64, filters: Array.from({ length: 5 }, () => ({ dataSize: 200 })) },
  ]),
  rpc('program-accounts-long-filter', 'getProgramAccounts with 129 bytes to compare', 'getProgramAccounts', () => [
    SVM.stake,
    { ...BASE64, filters: [{ memcmp: { offset: 0, bytes: Buffer.alloc(129, 1).toString('base64'), encoding: 'base64' } }] },
  ]),
  rpc('program-accounts-bad-filter', 'getProgramAccounts with base58 that is none', 'getProgramAccounts', () => [
    SVM.stake,
    { ...BASE64, filters: [{ memcmp: { offset: 0, bytes: '0OIl' } }] },
  ]),
  rpc('token-balance-none', 'getTokenAccountBalance of nothing', 'getTokenAccountBalance', () => [NOBODY, CONFIRMED]),
  rpc('token-balance-wallet', 'getTokenAccountBalance of a wallet', 'getTokenAccountBalance', ({ other }) => [other, CONFIRMED]),
  rpc('token-supply-none', 'getTokenSupply of nothing', 'getTokenSupply', () => [NOBODY, CONFIRMED]),
  rpc('token-accounts-none', 'getTokenAccountsByOwner of a wallet without any', 'getTokenAccountsByOwner', ({ other }) => [
    other,
    { programId: SVM.token },
    BASE64,
  ]),
  rpc('token-accounts-no-mint', 'getTokenAccountsByOwner of a mint that is none', 'getTokenAccountsByOwner', ({ other }) => [
    other,
    { mint: NOBODY },
    BASE64,
  ]),

  // Transactions that are there.
  rpc('statuses', 'getSignatureStatuses of one that landed, one that failed, and nothing', 'getSignatureStatuses', ({ landed, failed }) => [
    [landed.id, failed.id, NOTHING],
  ]),
  rpc('statuses-history', 'the same with searchTransactionHistory', 'getSignatureStatuses', ({ landed, failed }) => [
    [landed.id, failed.id, NOTHING],
    { searchTransactionHistory: true },
  ]),
  rpc('statuses-bad', 'getSignatureStatuses of a text that is no base58', 'getSignatureStatuses', () => [['0OIl']]),
  rpc('statuses-short', 'getSignatureStatuses of a signature cut short', 'getSignatureStatuses', () => [['3yZe7d']]),
  rpc('statuses-257', 'getSignatureStatuses of 257', 'getSignatureStatuses', () => [Array.from({ length: 257 }, () => NOTHING)]),
  rpc('transaction-base64', 'getTransaction of one that landed', 'getTransaction', ({ landed }) => [
    landed.id,
    { ...BASE64, maxSupportedTransactionVersion: 0 },
  ]),
  rpc('transaction-json', 'the same as JSON', 'getTransaction', ({ landed }) => [
    landed.id,
    { encoding: 'json', ...CONFIRMED, maxSupportedTransactionVersion: 0 },
  ]),
  rpc('transaction-no-version', 'the same without maxSupportedTransactionVersion', 'getTransaction', ({ landed }) => [landed.id, BASE64]),
  rpc('transaction-failed', 'getTransaction of one that failed', 'getTransaction', ({ failed }) => [
    failed.id,
    { ...BASE64, maxSupportedTransactionVersion: 0 },
  ]),
  rpc('transaction-none', 'getTransaction of nothing', 'getTransaction', () => [NOTHING, BASE64]),
  rpc('transaction-processed', 'getTransaction at processed', 'getTransaction', ({ landed }) => [
    landed.id,
    { encoding: 'base64', commitment: 'processed' },
  ]),
  rpc('signatures', 'getSignaturesForAddress', 'getSignaturesForAddress', ({ other }) => [other, { ...CONFIRMED, limit: 5 }]),
  rpc('signatures-none', 'getSignaturesForAddress of nothing', 'getSignaturesForAddress', () => [NOBODY, CONFIRMED]),
  rpc('signatures-until', 'getSignaturesForAddress until one', 'getSignaturesForAddress', ({ other, landed }) => [
    other,
    { ...CONFIRMED, until: landed.id },
  ]),
  rpc('signatures-before-unknown', 'getSignaturesForAddress before a signature of nothing', 'getSignaturesForAddress', ({ other }) => [
    other,
    { ...CONFIRMED, before: NOTHING },
  ]),
  rpc('signatures-limit-0', 'getSignaturesForAddress with a limit of 0', 'getSignaturesForAddress', ({ other }) => [
    other,
    { ...CONFIRMED, limit: 0 },
  ]),
  rpc('signatures-limit-1001', 'getSignaturesForAddress with a limit of 1001', 'getSignaturesForAddress', ({ other }) => [
    other,
    { ...CONFIRMED, limit: 1001 },
  ]),

  // Transactions that are sent, from here on each refused.
  send('send-twice', 'the same bytes again, after they landed', ({ landed }) => landed.bytes),
  send(
    'send-no-blockhash',
    'a block hash of no block',
    ({ payer, other }) => svmTransaction([transfer(payer.address, other, 1n)], [payer], NO_BLOCK).bytes,
  ),
  send(
    'send-no-funds',
    'a transfer of more than there is',
    ({ signed, payer, other }) => signed(transfer(payer.address, other, TOO_MUCH)).bytes,
  ),
  send('send-no-payer', 'a payer that is not there', ({ other, blockhash }) => {
    const nobody = svmKey('nobody')
    return svmTransaction([transfer(nobody.address, other, 1n)], [nobody], blockhash).bytes
  }),
  send(
    'send-below-rent',
    'a transfer that leaves too little at a new address',
    ({ signed, payer }) => signed(transfer(payer.address, NOBODY, 1n)).bytes,
  ),
  send('send-forged', 'a signature of something else', ({ signed, payer, other }) =>
    forged(signed(transfer(payer.address, other, 2n)).bytes),
  ),
  send('send-unsigned', 'a signature of zeros', ({ signed, payer, other }) => unsigned(signed(transfer(payer.address, other, 2n)).bytes)),
  send('send-cut', 'bytes cut short', ({ signed, payer, other }) => signed(transfer(payer.address, other, 3n)).bytes.subarray(0, 150)),
  send('send-trailing', 'bytes with two more', ({ signed, payer, other }) =>
    Buffer.concat([signed(transfer(payer.address, other, 3n)).bytes, Buffer.of(1, 2)]),
  ),
  send('send-too-large', 'more bytes than a transaction may have', () => Buffer.alloc(1_300, 1)),
  send('send-too-long', 'more text than a transaction may have', () => Buffer.alloc(2_000, 1)),
  send('send-not-base64', 'a text that is no base64', () => '!!!!'),
  send('send-empty', 'no bytes', () => ''),
  send('send-bad-encoding', 'an encoding that there is not', () => 'AAAA', { encoding: 'hex' }),
  send(
    'send-no-program',
    'a call of a program that is not there',
    ({ signed }) => signed({ program: NOBODY, accounts: [], data: Buffer.of(1) }).bytes,
  ),
  send(
    'send-stake-deactivated-early',
    'a withdrawal of what is staked',
    ({ signed, payer, stake }) => signed(withdrawStake(stake, payer.address, SOL)).bytes,
  ),
  send('send-stake-other-authority', 'an end of a delegation by somebody else', ({ stake, blockhash, payer }) => {
    const stranger = svmKey('other')
    const { bytes } = svmTransaction([deactivate(stake, stranger.address)], [stranger], blockhash)
    return payer.address === '' ? '' : bytes
  }),
  send(
    'send-stake-no-account',
    'an end of the delegation of nothing',
    ({ signed, payer }) => signed(deactivate(NOBODY, payer.address)).bytes,
  ),
  send('send-stake-small', 'a delegation below the minimum', ({ payer, vote, blockhash }) => {
    const small = svmKey('small stake')
    return svmTransaction(stakeInstructions(payer.address, small.address, vote, 2_282_880n), [payer, small], blockhash).bytes
  }),
  send('send-stake-no-vote', 'a delegation to an address that is no vote account', ({ payer, other, blockhash }) => {
    const account = svmKey('stake of nobody')
    return svmTransaction(stakeInstructions(payer.address, account.address, other, 3n * SOL), [payer, account], blockhash).bytes
  }),
  send('send-account-in-use', 'a creation of an account that is there', ({ payer, vote, blockhash }) => {
    const account = svmKey('stake account')
    return svmTransaction(stakeInstructions(payer.address, account.address, vote, 3n * SOL), [payer, account], blockhash).bytes
  }),
  send(
    'send-min-context',
    'a slot that the node has not reached',
    ({ signed, payer, other, slot }) => {
      return slot < 0 ? '' : signed(transfer(payer.address, other, 4n)).bytes
    },
    { minContextSlot: 1_000_000_000_000 },
  ),
  send(
    'send-skip-preflight-forged',
    'a signature of something else, without preflight',
    ({ signed, payer, other }) => forged(signed(transfer(payer.address, other, 5n)).bytes),
    { skipPreflight: true },
  ),
  send(
    'send-skip-preflight-no-blockhash',
    'a block hash of no block, without preflight',
    ({ payer, other }) => svmTransaction([transfer(payer.address, other, 6n)], [payer], NO_BLOCK).bytes,
    { skipPreflight: true },
  ),

  // Simulations.
  simulate('simulate', 'a transfer', ({ signed, payer, other }) => signed(transfer(payer.address, other, 7n)).bytes),
  simulate('simulate-unsigned', 'a transfer with a signature of zeros', ({ signed, payer, other }) =>
    unsigned(signed(transfer(payer.address, other, 7n)).bytes),
  ),
  simulate(
    'simulate-verify-forged',
    'a signature of something else, which is looked at',
    ({ signed, payer, other }) => forged(signed(transfer(payer.address, other, 7n)).bytes),
    { sigVerify: true },
  ),
  simulate('simulate-verify-replace', 'both at once', ({ signed, payer, other }) => signed(transfer(payer.address, other, 7n)).bytes, {
    sigVerify: true,
    replaceRecentBlockhash: true,
  }),
  simulate(
    'simulate-replace',
    'a block hash of no block, replaced',
    ({ payer, other }) => svmTransaction([transfer(payer.address, other, 7n)], [payer], NO_BLOCK).bytes,
    { replaceRecentBlockhash: true },
  ),
  simulate(
    'simulate-no-blockhash',
    'a block hash of no block',
    ({ payer, other }) => svmTransaction([transfer(payer.address, other, 7n)], [payer], NO_BLOCK).bytes,
  ),
  simulate(
    'simulate-no-funds',
    'a transfer of more than there is',
    ({ signed, payer, other }) => signed(transfer(payer.address, other, TOO_MUCH)).bytes,
  ),
  simulate('simulate-no-payer', 'a payer that is not there', ({ other, blockhash }) => {
    const nobody = svmKey('nobody')
    return svmTransaction([transfer(nobody.address, other, 1n)], [nobody], blockhash).bytes
  }),
  simulate(
    'simulate-below-rent',
    'a transfer that leaves too little at a new address',
    ({ signed, payer }) => signed(transfer(payer.address, NOBODY, 1n)).bytes,
  ),
  simulate(
    'simulate-stake-early',
    'a withdrawal of what is staked',
    ({ signed, payer, stake }) => signed(withdrawStake(stake, payer.address, SOL)).bytes,
  ),
  simulate(
    'simulate-no-program',
    'a call of a program that is not there',
    ({ signed }) => signed({ program: NOBODY, accounts: [], data: Buffer.of(1) }).bytes,
  ),
  simulate('simulate-landed', 'bytes that landed', ({ landed }) => landed.bytes),
  simulate('simulate-cut', 'bytes cut short', ({ signed, payer, other }) =>
    signed(transfer(payer.address, other, 7n)).bytes.subarray(0, 150),
  ),
  rpc('simulate-accounts', 'a transfer, with an account after it', 'simulateTransaction', ({ signed, payer, other }) => [
    signed(transfer(payer.address, other, 7n)).bytes.toString('base64'),
    { ...BASE64, accounts: { encoding: 'base64', addresses: [other, NOBODY] } },
  ]),
  rpc('fee', 'getFeeForMessage', 'getFeeForMessage', ({ signed, payer, other }) => [
    signed(transfer(payer.address, other, 7n))
      .bytes.subarray(65)
      .toString('base64'),
    CONFIRMED,
  ]),
  rpc('fee-no-blockhash', 'getFeeForMessage under a block hash of no block', 'getFeeForMessage', ({ payer, other }) => [
    svmTransaction([transfer(payer.address, other, 7n)], [payer], NO_BLOCK)
      .bytes.subarray(65)
      .toString('base64'),
    CONFIRMED,
  ]),

  // The wire.
  raw('batch', 'a batch of two', [
    { jsonrpc: '2.0', id: 1, method: 'getHealth' },
    { jsonrpc: '2.0', id: 2, method: 'getGenesisHash' },
  ]),
  raw('batch-mixed', 'a batch of one that is answered and one that is not there', [
    { jsonrpc: '2.0', id: 1, method: 'getHealth' },
    { jsonrpc: '2.0', id: 2, method: 'getNothing' },
  ]),
  raw('batch-empty', 'an empty batch', []),
  raw('method-unknown', 'a method that is not there', { jsonrpc: '2.0', id: 1, method: 'getNothing', params: [] }),
  raw('method-removed', 'a method of older nodes', { jsonrpc: '2.0', id: 1, method: 'getStakeActivation', params: [NOBODY] }),
  raw('no-id', 'a call without an id', { jsonrpc: '2.0', method: 'getHealth' }),
  raw('id-text', 'a call whose id is a text', { jsonrpc: '2.0', id: 'a', method: 'getHealth' }),
  raw('no-version', 'a call without a version', { id: 1, method: 'getHealth' }),
  raw('no-method', 'a call without a method', { jsonrpc: '2.0', id: 1 }),
  raw('params-object', 'parameters by name', { jsonrpc: '2.0', id: 1, method: 'getBalance', params: { address: NOBODY } }),
  raw('not-json', 'a text that is no JSON', 'nothing'),
  raw('body-empty', 'a body of a blank', ' '),
  raw(
    'body-large',
    'a body of 60,000 characters',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth', params: ['x'.repeat(60_000)] }),
  ),
]
