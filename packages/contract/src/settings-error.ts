/** Error for a setting that does not fit. `message` names the setting's place and what would be right. */
export class SettingsError extends Error {
  readonly code = 'SETTINGS_INVALID'
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SettingsError'
  }
}
