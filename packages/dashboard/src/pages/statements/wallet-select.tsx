import type { PositionList } from '../../api/positions.ts'
import { Select } from '../../parts/form/select.tsx'
import { setQuery } from '../../router/router.ts'
import { account } from '../../state/account.ts'
import { named } from '../../state/names.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { placeName } from '../../text/networks.ts'
import { short } from '../../text/short.ts'
import type { StatementWallet } from './place.ts'

/** Most wallets to choose from: a part of the list. */
const PART = 200

/** Choice of a wallet among those that are watched, the worst first; the one at hand is among them wherever it comes from. */
export function WalletSelect({ place }: { readonly place: StatementWallet | null }) {
  const { value } = useResource(`wallets ${account.value ?? ''}`, (signal) =>
    api.call<PositionList>('positions', { signal, query: { account: account.value, limit: PART } }),
  )
  const wallets = (value?.positions ?? []).map((row) => ({
    account: row.account,
    protocol: row.protocol,
    network: row.network_id,
    wallet: row.address,
  }))
  const chosen = place === null ? '' : textOf(place)
  const all = place === null || wallets.some((each) => textOf(each) === chosen) ? wallets : [place, ...wallets]
  const nameOf = ({ protocol, network, wallet }: StatementWallet) => `${short(wallet)}, ${placeName(named.value, protocol, network)}`
  return (
    <Select
      label="Wallet"
      value={chosen}
      options={[
        ...(place === null ? [{ value: '', label: 'Choose a wallet…' }] : []),
        ...all.map((each) => ({ value: textOf(each), label: nameOf(each) })),
      ]}
      onValue={(text) => {
        const next = all.find((each) => textOf(each) === text)
        if (next) setQuery({ account: next.account, protocol: next.protocol, network: next.network, wallet: next.wallet })
      }}
    />
  )
}

/** Writes a wallet as a text, which is the same for the same one. */
function textOf({ account, protocol, network, wallet }: StatementWallet): string {
  return JSON.stringify([account, protocol, network, wallet])
}
