import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import moveNative from '@svc/plugin-move-native'
import { scenarios } from '@svc/plugin-move-native/sandbox'
import { check, decodeMove, type Effects, type MoveCraft } from '@svc/verify'
import { action, type Hand, reads, type Subject } from './subject.ts'

export const moveNativeSubject: Subject = {
  label: 'move-native',
  name: '@svc/plugin-move-native',
  prefix: '/api/v1/move-one/native',
  plugin: moveNative,
  scenario: scenarios[0]!,
  // Two stakes of different epochs that have earned.
  async position(hand) {
    const { address: wallet_address, act } = staker(hand)
    await act('stake', { amount: 100 })
    await hand.advance(2)
    await act('stake', { amount: 50 })
    await hand.advance(3)
    const { staking_objects } = (await hand.get(`/staking-balance/${wallet_address}`)) as { staking_objects: { id: string }[] }
    return [
      action('stake', { wallet_address, amount: 1.5 }),
      action('unstake', { wallet_address, staked_sui_object_id: staking_objects[0]!.id }),
      ...reads(wallet_address),
    ]
  },
  decode(craft, { move }) {
    const unsigned = craft as unknown as MoveCraft
    const address = (digits: string) => `0x${digits.padStart(64, '0')}`
    const network = { chainId: 'mainnet', chainIdentifier: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' }
    const split = { coin: 'GasCoin', amounts: [1_500_000_000n] }
    const add = { system: address('5'), stake: 'Result(0,0)', validator: VALIDATOR }
    const effects: Effects = {
      signers: [move[0]!.address],
      calls: [
        { target: 'ptb', method: 'SplitCoins(argument coin, u64[] amounts)', args: split, value: 0n },
        {
          target: `${address('3')}::sui_system`,
          method: 'request_add_stake(object system, argument stake, address validator)',
          args: add,
          value: 0n,
        },
      ],
    }
    return () => check(decodeMove(unsigned, effects, network), effects, { chainId: 'mainnet', maxFee: 10n ** 9n })
  },
}

/** The operator's validator of the scenario. */
const VALIDATOR = '0x491b80634249ce0a42e401cc7087ce36c0815ac2c74916a182ec214128cd3d41'

/** The first funded wallet. */
function staker(hand: Hand) {
  const { address, secretKey } = hand.wallets.move[0]!
  const keypair = Ed25519Keypair.fromSecretKey(secretKey)
  const act = (name: string, body: object) =>
    hand.act(name, { wallet_address: address, ...body }, async (craft) => {
      const { signature } = await keypair.signTransaction(Buffer.from(craft.unsigned_tx_b64!, 'base64'))
      return { ...craft, signatures: [signature] }
    })
  return { address, act }
}
