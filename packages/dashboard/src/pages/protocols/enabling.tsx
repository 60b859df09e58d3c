import { Code } from '../../parts/value/code.tsx'
import { accountConfig, pluginConfig } from '../../text/config.ts'

/** How the operator enables another protocol, for all or for one account. */
export function Enabling({ account, name }: { readonly account: string; readonly name: string }) {
  return (
    <details class="enabling">
      <summary>Enable another protocol</summary>
      <div class="stack">
        <p>
          Install its plugin next to the config, and name it there with its networks, each with endpoints and the settings that its README
          lists. What is named so is for every account that names no plugins of its own:
        </p>
        <Code text={pluginConfig()} label="Copy config" />
        <p>An account that does has those alone, with what differs for it:</p>
        <Code text={accountConfig(account, name)} label="Copy config of the account" />
        <p>
          Then <code>svc check</code>, and start the service anew.
        </p>
      </div>
    </details>
  )
}
