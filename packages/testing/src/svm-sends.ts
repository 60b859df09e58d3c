import { BASE64, NO_BLOCK, NOBODY, rpc, SOL, type SvmFacts, type SvmQuestion, TOO_MUCH } from './svm-ground.ts'
import { deactivate, stakeInstructions, svmKey, svmTransaction, transfer, withdrawStake } from './svm-message.ts'

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

/** Questions that send or simulate a transaction, in an order in which none spoils a later one. */
export const svmSends: readonly SvmQuestion[] = [
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
]
