import { type Config, installedPlugins, operatorFolder, type Places } from '@svc/core'

/** Returns a sentence on a config that enables no plugin, with the lines to write into it; null when one is enabled. */
export async function noProtocol({ plugins }: Config, places: Places): Promise<string | null> {
  if (Object.keys(plugins).length > 0) return null
  const folder = operatorFolder(places)
  const installed = (await installedPlugins(places)).map(({ name }) => name)
  const [first = '<package>'] = installed
  const inventory =
    installed.length > 0
      ? `Installed in ${folder}: ${installed.join(', ')}.`
      : `None is installed in ${folder}; run there: npm install <package>.`
  return (
    'plugins: no protocol is enabled, so that the service has no transaction to craft. Name a plugin with its networks: ' +
    `"plugins": { "${first}": { "networks": { "<chain id>": { "name": "…", "endpoints": { … } } } } }, and the settings that its README lists. ${inventory}`
  )
}
