/** Returns the name that operators use for a plugin: its npm name without scope and `plugin-`. @example evm-three, of @svc/plugin-evm-three */
export function shortName(plugin: string): string {
  return plugin.replace(/^@[^/]+\//, '').replace(/^plugin-/, '')
}
