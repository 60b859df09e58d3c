import evmThree from '@svc/plugin-evm-three'
import { scenario as evmThreeScenario } from '@svc/plugin-evm-three/sandbox'
import evmThreeLiquid from '@svc/plugin-evm-three-liquid'
import { scenario as evmThreeLiquidScenario } from '@svc/plugin-evm-three-liquid/sandbox'
import evmTwo from '@svc/plugin-evm-two'
import { scenario as evmTwoScenario } from '@svc/plugin-evm-two/sandbox'
import evmVault from '@svc/plugin-evm-vault'
import { scenario as evmVaultScenario } from '@svc/plugin-evm-vault/sandbox'
import { check, decodeEvm, type EvmCraft } from '@svc/verify'
import { SigningKey } from 'ethers'
import { action, type Hand, reads, type Subject } from './subject.ts'

export const evmThreeSubject: Subject = {
  label: 'evm-three',
  name: '@svc/plugin-evm-three',
  prefix: '/api/v1/evm-three/native',
  plugin: evmThree,
  scenario: evmThreeScenario,
  // Active stake, claimable rewards, and a slot whose epoch has come.
  async position(hand) {
    const [{ address, act }] = owners(hand)
    await act('delegate', { amount: 1000 })
    await hand.advance(2)
    await act('undelegate', { amount: 10, withdrawId: 7 })
    await hand.advance(3)
    return [
      action('delegate', { address, amount: 1.5 }),
      action('undelegate', { address, amount: 1.5, withdrawId: 9 }),
      action('withdraw', { address, withdrawId: 7 }),
      action('claim-rewards', { address }),
      action('compound', { address }),
      ...reads(address),
    ]
  },
  decode(craft, { evm }) {
    const unsigned = craft as unknown as EvmCraft
    const method = 'delegate(uint64 validator)'
    const call = { target: unsigned.payload.to, method, args: { validator: 12n }, value: 1_500_000_000_000_000_000n }
    const effects = { signers: [evm[0]!.address], calls: [call] }
    return () => check(decodeEvm(unsigned, [method]), effects, { chainId: '143', maxFee: 10n ** 18n })
  },
}

export const evmThreeLiquidSubject: Subject = {
  label: 'evm-three-liquid',
  name: '@svc/plugin-evm-three-liquid',
  prefix: '/api/v1/evm-three/liquid-a',
  plugin: evmThreeLiquid,
  scenario: evmThreeLiquidScenario,
  // One wallet with shares, and one whose request can be claimed: an owner has one request at a time.
  async position(hand) {
    const [staker, leaver] = owners(hand)
    await staker.act('delegate', { amount: 1000 })
    await leaver.act('delegate', { amount: 1000 })
    await leaver.act('undelegate', { amount: 100 })
    await hand.advance(3)
    const { staking_objects } = (await hand.get(`/staking-balance/${leaver.address}`)) as { staking_objects: { id: string }[] }
    return [
      action('delegate', { address: staker.address, amount: 100.5 }),
      action('undelegate', { address: staker.address, amount: 1.5 }),
      action('withdraw', { address: leaver.address, request_id: Number(staking_objects[0]!.id) }),
      ...reads(leaver.address),
    ]
  },
}

export const evmTwoSubject: Subject = {
  label: 'evm-two',
  name: '@svc/plugin-evm-two',
  prefix: '/api/v1/evm-two/native',
  plugin: evmTwo,
  scenario: evmTwoScenario,
  // One wallet with active stake and rewards, and one whose exit is over: a record can do nothing else while an exit is open.
  async position(hand) {
    const [staker, leaver] = owners(hand)
    await staker.act('delegate', { amount: 1000 })
    await leaver.act('delegate', { amount: 1000 })
    await hand.advance(1)
    await leaver.act('undelegate', {})
    await hand.advance(85)
    const { address } = staker
    return [
      action('delegate', { address, amount: 1.5 }),
      action('undelegate', { address }),
      action('withdraw', { address: leaver.address }),
      action('claim-rewards', { address }),
      action('compound-rewards', { address }),
      ...reads(address),
    ]
  },
}

export const evmVaultSubject: Subject = {
  label: 'evm-vault',
  name: '@svc/plugin-evm-vault',
  prefix: '/api/v1/evm-one/vault-one',
  plugin: evmVault,
  scenario: evmVaultScenario,
  // One wallet with shares, and one with two exits that can be claimed.
  async position(hand) {
    const [staker, leaver] = owners(hand)
    await staker.act('stake', { amount: 1000 })
    await leaver.act('stake', { amount: 1000 })
    await leaver.act('unstake', { amount: 100 })
    await leaver.act('unstake', { amount: 50 })
    await hand.advance(4)
    return [
      action('stake', { address: staker.address, amount: 1.5 }),
      action('unstake', { address: staker.address, amount: 1.5 }),
      action('withdraw', { address: leaver.address }),
      ...reads(leaver.address),
      { name: 'vault', path: '/vault' },
      { name: 'historic', path: `/historic/${leaver.address}` },
      { name: 'stats', path: `/stats/${leaver.address}` },
    ]
  },
}

interface Owner {
  readonly address: string
  act(action: string, body: object): Promise<void>
}

/** The first two funded wallets. */
function owners(hand: Hand): readonly [Owner, Owner] {
  const owner = (index: number): Owner => {
    const { address, privateKey } = hand.wallets.evm[index]!
    return {
      address,
      act: (name, body) =>
        hand.act(name, { address, ...body }, (craft) => {
          const { r, s, v } = new SigningKey(privateKey).sign(craft.unsigned_tx_hash_hex!)
          return { serialized_tx_hex: craft.serialized_tx_hex, r, s, v }
        }),
    }
  }
  return [owner(0), owner(1)]
}
