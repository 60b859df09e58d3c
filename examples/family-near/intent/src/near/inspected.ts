import type { InspectedFamily } from '@svc/verify/intent'

/** What is known of NEAR without a protocol. No byte names the network, so that it is called by the main one. */
export const inspected: InspectedFamily = {
  title: 'NEAR',
  network: () => ({
    name: 'NEAR',
    terms: { chainId: 'mainnet', caip2: 'near:mainnet', decimals: 24, symbol: 'NEAR' },
    // A tenth of what 300 TGas cost at the highest price of gas.
    usualFee: '0.07',
  }),
  risk: ({ method, value }) =>
    value > 0n
      ? { name: 'payment', why: 'It sends NEAR along with a call of a contract, which decides over it from then on.' }
      : (RISKS[method] ?? null),
}

// https://nomicon.io/Standards/Tokens (read 2026-11-23)
const RISKS: Readonly<Record<string, { readonly name: string; readonly why: string }>> = {
  'unknown ft_transfer': { name: 'transfer of tokens', why: 'It sends tokens to another account.' },
  'unknown ft_transfer_call': { name: 'transfer of tokens', why: 'It sends tokens to a contract, and calls it.' },
  'unknown nft_approve': { name: 'approval', why: 'It lets another account take a token, at any time.' },
  'unknown add_key': { name: 'key', why: 'It gives another key a say over the account.' },
}
