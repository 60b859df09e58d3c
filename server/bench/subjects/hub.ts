import hubOne from '@svc/plugin-hub-one'
import { scenario as hubOneScenario } from '@svc/plugin-hub-one/sandbox'
import hubTwo from '@svc/plugin-hub-two'
import { scenario as hubTwoScenario } from '@svc/plugin-hub-two/sandbox'
import { type CosmosCraft, check, decodeCosmos, verifyCosmos } from '@svc/verify'
import { SigningKey } from 'ethers'
import { action, type Hand, type Request, reads, type Subject } from './subject.ts'

export const hubOneSubject: Subject = {
  label: 'hub-one',
  name: '@svc/plugin-hub-one',
  prefix: '/api/v1/hub-one/native',
  plugin: hubOne,
  scenario: hubOneScenario,
  position: (hand) => position(hand, hubOneScenario.chain),
  decode(craft, { cosmos }) {
    const unsigned = craft as unknown as CosmosCraft
    const delegator = cosmos[0]!.addresses[hubOneScenario.chain]!
    const amount = 1_500_000n
    const call = {
      target: '/cosmos.staking.v1beta1.MsgDelegate',
      method: 'MsgDelegate(delegator, validator, denom, amount)',
      args: { delegator, validator: 'cosmosvaloper1ay5h235p25x4w9ha4k2stravz3u37zppe85tnq', denom: 'uatom', amount },
      value: amount,
    }
    const effects = { signers: [delegator], calls: [call] }
    const bounds = { chainId: 'cosmoshub-4', maxFee: 100_000n }
    // The number of the account is only in the hash; on a chain this young few come into question.
    const facts = Array.from({ length: 100 }, (_, number) => {
      return { chainId: 'cosmoshub-4', accountNumber: BigInt(number), prefix: 'cosmos', denom: 'uatom' }
    })
    const chain = facts.find((each) => verifyCosmos(unsigned, each, effects, bounds).length === 0) ?? facts[0]!
    return () => check(decodeCosmos(unsigned, chain), effects, bounds)
  },
}

export const hubTwoSubject: Subject = {
  label: 'hub-two',
  name: '@svc/plugin-hub-two',
  prefix: '/api/v1/hub-two/native',
  plugin: hubTwo,
  scenario: hubTwoScenario,
  position: (hand) => position(hand, hubTwoScenario.chain),
}

/** Stake, an exit under way, and a day of rewards. */
async function position(hand: Hand, chain: string): Promise<readonly Request[]> {
  const { publicKey: pubkey, privateKey, addresses } = hand.wallets.cosmos[0]!
  const act = (name: string, body: object) =>
    hand.act(name, { pubkey, ...body }, (craft) => {
      const { r, s } = new SigningKey(`0x${privateKey}`).sign(`0x${craft.unsigned_tx_hash_hex}`)
      return { tx_body_hex: craft.unsigned_tx_hex, tx_auth_info_hex: craft.tx_auth_info_hex, signature_hex: r.slice(2) + s.slice(2) }
    })
  await act('stake', { amount: 1000 })
  await act('unstake', { amount: 10 })
  await hand.advance(1)
  return [
    action('stake', { pubkey, amount: 1.5 }),
    action('unstake', { pubkey, amount: 1.5 }),
    action('claim-rewards', { pubkey }),
    ...reads(addresses[chain]!),
  ]
}
