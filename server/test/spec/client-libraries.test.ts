// alone: a library of Leap's looks for the window of a browser
import { createClient, type TransactionStatus, type TrustDocument, type VerifiedTransaction } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import { hubOne } from '@svc/intent-hub'
import { moveNative } from '@svc/intent-move-native'
import { svmNative } from '@svc/intent-svm-native'
import type { Mood } from '@svc/testing/keplr'
import t, { type Test } from 'tap'
import { sandbox } from '../support/service.ts'
import { trust } from '../support/trust.ts'
import { cosmosWallets, evmWallets, type LibraryWallet, solanaBurner, suiBurner } from '../support/wallet-libraries.ts'

// Libraries of wallets, as they are published, sign a stake and an exit of each family that they know, through the client's signer for them; what they give back is judged,
// sent, and final. A wallet may choose the fee, which is named then, and nothing else.

const pinned: TrustDocument = await trust()
const svc = createClient({
  trust: pinned,
  apiKey: sandbox.apiKey,
  protocols: { monad: evmThree, hub: hubOne, sui: moveNative, solana: svmNative },
})

/** A family: its chain in the sandbox, and what is ordered of it. */
interface Family {
  readonly chain: string
  /** Operation that makes a block final; absent where each is. */
  readonly passing?: readonly [string, object]
  readonly protocol: Pick<(typeof svc)['monad'], 'send' | 'settled'>
  readonly stake: (wallet: LibraryWallet) => Promise<VerifiedTransaction>
  readonly exit: (wallet: LibraryWallet, staked: TransactionStatus) => Promise<VerifiedTransaction>
  /** Term by which a fee of the wallet's own is named. */
  readonly fee: RegExp
  readonly wallets: Readonly<Record<string, () => Promise<LibraryWallet>>>
}

const FAMILIES: Readonly<Record<string, Family>> = {
  evm: {
    chain: 'evm/143',
    passing: ['mine', { blocks: 5 }],
    protocol: svc.monad,
    stake: ({ address }) => svc.monad.delegate({ address, amount: '100' }),
    exit: ({ address }) => svc.monad.undelegate({ address, amount: '40', withdrawId: 0 }),
    fee: /^terms\.gas(Price|Limit)$/,
    wallets: evmWallets(143),
  },
  cosmos: {
    chain: 'cosmos/cosmoshub-4',
    protocol: svc.hub,
    stake: ({ pubkey }) => svc.hub.stake({ pubkey, amount: '2' }),
    exit: ({ pubkey }) => svc.hub.unstake({ pubkey, amount: '1' }),
    fee: /^terms\.fee$/,
    wallets: cosmosWallets('cosmoshub-4', 'cosmos'),
  },
  svm: {
    chain: 'svm/mainnet-beta',
    // A block is rooted 32 slots later. https://docs.anza.xyz/consensus/commitments (read 2026-11-22)
    passing: ['advance', { seconds: 13 }],
    protocol: svc.solana,
    // Derived by a seed, the account needs no signature of its own, which a wallet's change would break.
    stake: ({ address }) => svc.solana.stake({ wallet_address: address, amount: '2', sign: false }),
    exit: ({ address }, { objectIds }) => svc.solana.unstake({ wallet_address: address, stake_account_address: String(objectIds?.[0]) }),
    fee: /^terms\.unitPrice$/,
    wallets: { 'Wallet Standard: the burner of the wallet adapters': solanaBurner },
  },
  move: {
    chain: 'move/mainnet',
    protocol: svc.sui,
    stake: ({ address }) => svc.sui.stake({ wallet_address: address, amount: '2' }),
    exit: ({ address }, { objectIds }) => svc.sui.unstake({ wallet_address: address, staked_sui_object_id: String(objectIds?.[0]) }),
    fee: /^terms\.gasPrice$/,
    wallets: { 'dapp-kit: its burner': () => suiBurner('mainnet') },
  },
}

const control = async (chain: string, operation: string, body: object) => {
  const response = await fetch(`${sandbox.controlUrl}/chains/${chain}/${operation}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
}

/** Names of the terms that a wallet has chosen otherwise, besides the mode in which amino JSON is signed. */
const chosen = (signed: { readonly changed: readonly { readonly path: string }[] }) =>
  signed.changed.map(({ path }) => path).filter((path) => path !== 'terms.signMode')

// Families beside each other; libraries of a family one after another, since they share its chain.
t.jobs = 4
for (const [family, { chain, passing, protocol, stake, exit, fee, wallets }] of Object.entries(FAMILIES)) {
  const final = async (t: Test, order: VerifiedTransaction, wallet: LibraryWallet, mood: Mood): Promise<TransactionStatus> => {
    const signed = await order.sign(wallet.signer(mood))
    t.equal((await protocol.send(signed)).txHash, signed.txHash)
    const status = await protocol.settled(signed.txHash, {
      onStatus: ({ status }) => {
        if (status === 'included' && passing) void control(chain, ...passing)
      },
    })
    t.equal(status.status, 'final')
    return status
  }
  t.test(family, { buffered: true }, async (t) => {
    for (const [library, open] of Object.entries(wallets)) {
      await t.test(library, async (t) => {
        const wallet = await open()
        await control(chain, 'fund', { address: wallet.address, amount: '1000' })
        const order = await stake(wallet)
        t.same(chosen(await order.sign(wallet.signer('obedient'))), [])
        await t.rejects(order.sign(wallet.signer('other amount')), {
          name: 'MismatchError',
          message: /^What was signed is not what was asked for/,
        })
        const dear = await order.sign(wallet.signer('own fee'))
        if (library.includes('leave the fee alone')) t.same(chosen(dear), [], 'the fee stays')
        else t.match(chosen(dear).join(), fee)
        const staked = await final(t, order, wallet, 'own fee')
        if (family === 'evm') await control(chain, 'advance', { epochs: 2 })
        await final(t, await exit(wallet, staked), wallet, 'obedient')
      })
    }
  })
}
