import { dirname, resolve } from 'node:path'
import { type LoadedConfig, readUpgrade, type Service } from '@svc/core'
import { Refusal } from '../cli/refusal.ts'

/** Refuses a reload that would change the layout of the embedded database, which would hold up the serving worker for as long as it takes. @throws Refusal */
export async function requireLayout({ config, file }: Pick<LoadedConfig, 'config' | 'file'>): Promise<void> {
  if (config.database_url) return
  const { pending } = await readUpgrade({ dataDir: resolve(dirname(file), config.data_dir) })
  if (pending.length > 0)
    throw new Refusal(
      `This version changes the layout of the embedded database (${pending.length} change(s)), which nobody may use meanwhile: ` +
        'restart the service instead of reloading it.',
    )
}

/** Checks the health of a service that does not listen yet, by the request that a proxy makes. @throws Refusal naming what is down */
export async function requireHealth(app: Service['app']): Promise<void> {
  const { statusCode, json } = await app.inject('/api/v1/health')
  if (statusCode === 200) return
  const { error } = json<{ error: Readonly<Record<string, { message?: string }>> }>()
  const reasons = Object.values(error).map(({ message }) => message)
  throw new Refusal(`The new worker is not healthy: ${reasons.join(' ')}`)
}
