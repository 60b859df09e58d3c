import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { refuseBadDeclaration } from './declaration.ts'
import type { AnyKit, ClientOf, DraftOf, SettingsOf } from './kit.ts'
import { type AnyProtocol, CONTRACT, type ProtocolPlugin } from './plugin.ts'
import type { Action, AnyAction, Declaration, SettledAction } from './protocol.ts'

/** `defineAction` and `definePlugin`, bound to a family and a schema of settings. */
export interface Definers<K extends AnyKit, Net> {
  defineAction<T extends TProperties, Facts, Plan>(
    action: SettledAction<T, Facts, Plan, ClientOf<K>, Net, DraftOf<K>>,
  ): SettledAction<T, Facts, Plan, ClientOf<K>, Net, DraftOf<K>>
  defineAction<T extends TProperties, Facts = undefined>(
    action: Action<T, Facts, ClientOf<K>, Net, DraftOf<K>>,
  ): Action<T, Facts, ClientOf<K>, Net, DraftOf<K>>
  definePlugin(declaration: Declaration<K, Net>): ProtocolPlugin
}

/** Binds a kit and a schema of network settings, and returns `defineAction` and `definePlugin` for them, so that no action has to spell out a generic. */
export function protocol<K extends AnyKit, const N extends TProperties>(
  kit: K,
  network: N,
): Definers<K, SettingsOf<K> & Static<TObject<N>>> {
  type Net = SettingsOf<K> & Static<TObject<N>>
  return {
    defineAction: (action: AnyAction<ClientOf<K>, Net, DraftOf<K>>) => action as never,
    definePlugin(declaration) {
      const protocol = { ...declaration, kit, network: Type.Object(network) }
      refuseBadDeclaration(protocol)
      // Functions of a family and its settings: whoever calls one gives it what the same declaration made.
      return { contract: CONTRACT, protocol: protocol as AnyProtocol }
    },
  }
}
