import { base58 } from '@scure/base'
import { Keypair, Transaction } from '@solana/web3.js'
import svmLiquid from '@svc/plugin-svm-liquid'
import { scenario as svmLiquidScenario } from '@svc/plugin-svm-liquid/sandbox'
import svmNative from '@svc/plugin-svm-native'
import { scenario as svmNativeScenario } from '@svc/plugin-svm-native/sandbox'
import { check, decodeSvm, type SvmCraft } from '@svc/verify'
import { action, type Hand, reads, type Subject } from './subject.ts'

export const svmNativeSubject: Subject = {
  label: 'svm-native',
  name: '@svc/plugin-svm-native',
  prefix: '/api/v1/svm-one/native',
  plugin: svmNative,
  scenario: svmNativeScenario,
  // An active stake, one that has left, and a nonce account.
  async position(hand) {
    const { address: wallet_address, act } = staker(hand)
    await act('stake', { amount: 10 })
    await act('stake', { amount: 20, sign: false })
    await act('create-nonce-account', {})
    await hand.advance(1)
    const [left] = await accounts(hand, wallet_address, 'active')
    await act('unstake', { stake_account_address: left })
    await hand.advance(1)
    const [active] = await accounts(hand, wallet_address, 'active')
    return [
      action('stake', { wallet_address, amount: 1.5 }),
      { ...action('stake', { wallet_address, amount: 1.5, sign: false }), name: 'stake, not signed' },
      action('unstake', { wallet_address, stake_account_address: active }),
      action('withdraw', { wallet_address, stake_account_address: left }),
      action('create-nonce-account', { wallet_address }),
      ...reads(wallet_address),
    ]
  },
  decode(craft) {
    const unsigned = craft as unknown as SvmCraft
    const { signers, calls, terms } = decodeSvm(unsigned)
    // Told apart from what is read by nothing but the time it takes: that the promise holds is what the conformance kit shows.
    const effects = { signers: signers ?? [], calls }
    return () => check(decodeSvm(unsigned), effects, { chainId: 'mainnet-beta', maxFee: 10n ** 6n, terms })
  },
}

export const svmLiquidSubject: Subject = {
  label: 'svm-liquid',
  name: '@svc/plugin-svm-liquid',
  prefix: '/api/v1/svm-one/liquid-b',
  plugin: svmLiquid,
  scenario: svmLiquidScenario,
  // Tokens; of which more than the reserve holds would be paid by a stake account.
  async position(hand) {
    const { address: wallet_address, act } = staker(hand)
    await act('stake', { amount: 5000 })
    await hand.advance(1)
    return [action('stake', { wallet_address, amount: 1.5 }), action('unstake', { wallet_address, amount: 1.5 }), ...reads(wallet_address)]
  },
}

/** The first funded wallet. */
function staker(hand: Hand) {
  const { address, secretKey } = hand.wallets.svm[0]!
  const keypair = Keypair.fromSecretKey(base58.decode(secretKey))
  const act = (name: string, body: object) =>
    hand.act(name, { wallet_address: address, ...body }, (craft) => {
      const transaction = Transaction.from(Buffer.from(craft.unsigned_tx_hex!, 'hex'))
      transaction.partialSign(keypair)
      const own = transaction.signatures.find(({ publicKey }) => publicKey.equals(keypair.publicKey))!
      return { ...craft, signatures: [own.signature!.toString('hex')] }
    })
  return { address, act }
}

/** Stake accounts of a status. */
async function accounts(hand: Hand, address: string, status: string): Promise<readonly string[]> {
  const { staking_objects } = (await hand.get(`/staking-balance/${address}`)) as { staking_objects: { id: string; status: string }[] }
  return staking_objects.filter((object) => object.status === status).map(({ id }) => id)
}
