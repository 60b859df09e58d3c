import type { CosmosGenesis } from '../genesis.ts'

/** Places in its source at which a node says that it refused: the line that wrapped the error, by the beginning of the error's own text. */
type Places = readonly (readonly [text: RegExp, place: string])[]

/** Cosmos SDK 0.53.8, as recorded of the Hub on 2026-11-23. */
const hub: Places = [
  [/no signatures supplied$/, ''],
  [/account sequence mismatch/, 'cosmos/cosmos-sdk@v0.53.8/x/auth/ante/sigverify.go:370'],
  [/: unknown address$/, 'cosmos/cosmos-sdk@v0.53.8/x/auth/ante/sigverify.go:652'],
  [/: memo too large$/, 'cosmos/cosmos-sdk@v0.53.8/x/auth/ante/basic.go:68'],
  [/: tx timeout height$/, 'cosmos/cosmos-sdk@v0.53.8/x/auth/ante/basic.go:213'],
  [/must contain at least one message/, 'cosmos/cosmos-sdk@v0.53.8/baseapp/baseapp.go:631'],
  [/invalid delegation amount/, 'cosmos/cosmos-sdk@v0.53.8/x/staking/keeper/msg_server.go:257'],
  [/invalid coin denomination/, 'cosmos/cosmos-sdk@v0.53.8/x/staking/keeper/msg_server.go:274'],
  [/invalid shares amount/, 'cosmos/cosmos-sdk@v0.53.8/x/staking/keeper/delegation.go:1383'],
  [/failed to delegate; /, 'cosmos/cosmos-sdk@v0.53.8/x/bank/keeper/keeper.go:139'],
  [/: tx parse error$/, 'cosmossdk.io/errors@v1.0.2/errors.go:151'],
  [/: invalid address$/, 'cosmossdk.io/errors@v1.0.2/errors.go:155'],
  [/failed to execute message/, 'cosmos/cosmos-sdk@v0.53.8/baseapp/baseapp.go:1052'],
]

/** Celestia's fork of the SDK, 0.51.6, as recorded of celestia-appd v6.2.5 on 2026-11-23. */
const celestia: Places = [
  [/no signatures supplied$/, ''],
  [/account sequence mismatch/, 'celestiaorg/cosmos-sdk@v0.51.6/x/auth/ante/sigverify.go:290'],
  [/: memo too large$/, 'celestiaorg/cosmos-sdk@v0.51.6/x/auth/ante/basic.go:65'],
  [/: tx timeout height$/, 'celestiaorg/cosmos-sdk@v0.51.6/x/auth/ante/basic.go:211'],
  [/must contain at least one message/, 'celestiaorg/cosmos-sdk@v0.51.6/baseapp/baseapp.go:634'],
  [/invalid delegation amount/, 'celestiaorg/cosmos-sdk@v0.51.6/x/staking/keeper/msg_server.go:274'],
  [/invalid coin denomination/, 'celestiaorg/cosmos-sdk@v0.51.6/x/staking/keeper/msg_server.go:291'],
  [/invalid shares amount/, 'celestiaorg/cosmos-sdk@v0.51.6/x/staking/keeper/delegation.go:1375'],
  [/failed to delegate; /, 'celestiaorg/cosmos-sdk@v0.51.6/x/bank/keeper/keeper.go:139'],
  [/errUnknownField/, 'celestiaorg/cosmos-sdk@v0.51.6/x/auth/tx/decoder.go:31'],
  [/unable to resolve type URL/, 'celestiaorg/cosmos-sdk@v0.51.6/x/auth/tx/decoder.go:44'],
  [/: tx parse error$/, 'celestiaorg/cosmos-sdk@v0.51.6/x/auth/tx/decoder.go:23'],
  [/: (invalid|unknown) address$/, 'cosmossdk.io/errors@v1.0.2/errors.go:155'],
  [/failed to execute message/, 'celestiaorg/cosmos-sdk@v0.51.6/baseapp/baseapp.go:1083'],
]

/** Adds the source position of an error to its text, as a node does whose answer passes through gRPC. For an error that was not recorded, no position is known. */
export function withPlace(text: string, { node }: Pick<CosmosGenesis, 'node'>): string {
  const place = (node.celestiaCore ? celestia : hub).find(([pattern]) => pattern.test(text))?.[1] ?? ''
  return place === '' ? text : `${text} [${place}]`
}
