// An integrator with a custodian that signs what it gets and knows no chain: from the trust document to a stake that the chain has, on each of four
// families. Of the service's authors he has the packages that are imported here.
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@svc/client'
import { rawSigner } from '@svc/client/signers'
import { evmThree } from '@svc/intent-evm-three'
import { hubOne } from '@svc/intent-hub'
import { moveNative } from '@svc/intent-move-native'
import { svmNative } from '@svc/intent-svm-native'

const { apiKey, custodian, keys } = JSON.parse(await readFile('keys.json', 'utf8'))
const trust = JSON.parse(await readFile('acme.trust.json', 'utf8'))
const svc = createClient({ trust, apiKey, protocols: { monad: evmThree, cosmos: hubOne, solana: svmNative, sui: moveNative } })

/** Asks the custodian for a signature over bytes. */
const signer = ({ name, publicKey }) =>
  rawSigner({
    async sign(payload) {
      const answer = await fetch(`${custodian}/${name}`, { method: 'POST', body: Buffer.from(payload).toString('hex') })
      return new Uint8Array(Buffer.from(await answer.text(), 'hex'))
    },
    ...(name === 'move' ? { publicKey: new Uint8Array(Buffer.from(publicKey, 'hex')) } : {}),
  })

const { evm, cosmos, svm, move } = keys
const stakes = [
  { key: evm, of: svc.monad, amount: '100.000000000000000001', craft: (amount) => svc.monad.delegate({ address: evm.address, amount }) },
  { key: cosmos, of: svc.cosmos, amount: '1.500001', craft: (amount) => svc.cosmos.stake({ pubkey: cosmos.publicKey, amount }) },
  { key: svm, of: svc.solana, amount: '1.500000001', craft: (amount) => svc.solana.stake({ wallet_address: svm.address, amount }) },
  { key: move, of: svc.sui, amount: '100.000000001', craft: (amount) => svc.sui.stake({ wallet_address: move.address, amount }) },
]
await Promise.all(
  stakes.map(async ({ key, of, amount, craft }) => {
    const before = await staked(of, key.address)
    const tx = await craft(amount)
    const { txHash } = await of.send(await tx.sign(signer(key)))
    const wanted = before + BigInt(amount.replace('.', ''))
    for (let tries = 0; (await staked(of, key.address)) !== wanted; tries++) {
      if (tries === 120) throw new Error(`${key.name}: half a minute after ${txHash} the position is not ${wanted} base units`)
      await wait(250)
    }
    console.log(`${key.name}: ${tx.sentence}`)
  }),
)

async function staked({ balance }, address) {
  const { staked, activating } = await balance(address)
  return staked.units + (activating?.units ?? 0n)
}
