import type { Session } from '../../api/types.ts'
import { Empty } from '../../parts/notice/empty.tsx'
import { pluginConfig } from '../../text/config.ts'

/** No protocol is enabled: what to write, for those who can. */
export function Nothing({ session, account }: { readonly session: Session; readonly account: string }) {
  if (session.kind !== 'operator') {
    return (
      <Empty title="No protocol is enabled">
        The operator of this service enables protocols for an account. Nothing can be crafted until then.
      </Empty>
    )
  }
  return (
    <Empty title="No protocol is enabled" command={pluginConfig()}>
      Install a plugin next to the config, and name it there with its networks, each with endpoints and the settings that its README lists.
      What is named so is for every account, unless <code>accounts.{account}.plugins</code> names others. Then <code>svc check</code>, and
      start the service anew. For a plugin of that name:
    </Empty>
  )
}
