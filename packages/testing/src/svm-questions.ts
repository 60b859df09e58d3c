import { BASE64, CONFIRMED, NO_BLOCK, NOBODY, NOTHING, raw, rpc, type SvmQuestion } from './svm-ground.ts'
import { SVM, svmTransaction, transfer } from './svm-message.ts'
import { svmSends } from './svm-sends.ts'

export { askSvm, prepareSvm, type SvmAnswer, type SvmFacts } from './svm-ground.ts'

/** Every question to a Solana node, in an order in which none spoils a later one. */
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
  ...svmSends,
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
