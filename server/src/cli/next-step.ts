/** Returns the first line of what somebody without a config is told. */
export function noConfig(): string {
  return `There is no config (--config, SVC_CONFIG, or svc.config.ts or svc.config.json\nin ${process.cwd()}).`
}

/** Advice for somebody without a config on how to go on. */
export const HOW_TO = `To write one, run svc init, which asks what it needs, or start from
config.example.ts or config.example.json of the package @svc/server.`

/** Returns the text for somebody in whose folder no plugin is installed. The server knows how a plugin is recognised, and none by name. */
export function noPlugin(folder: string): string {
  return `No plugin is installed in
${folder}.
Each protocol is a package of its own, installed next to the server:
  npm install <package>
It is found when that folder's package.json depends on it and its own
package.json has an entry "svc". README.md of @svc/server says how to go on.`
}
