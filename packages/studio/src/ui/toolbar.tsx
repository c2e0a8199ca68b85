// Rows of small buttons above an editor. The keys of arrows go from one to the next.

import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Toolbar as AriaToolbar,
  Button,
  type ButtonProps,
  Group,
  ToggleButton,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components'
import { useTranslations } from 'use-intl'
import { classNames } from './class-names.ts'
import styles from './toolbar.module.css'

interface ToolbarProps {
  readonly label: string
  readonly children: ReactNode
}

export const Toolbar = ({ label, children }: ToolbarProps) => (
  <AriaToolbar className={styles.toolbar!} aria-label={label}>
    {children}
  </AriaToolbar>
)

/** Buttons that belong together. */
export const ToolGroup = ({ children }: { readonly children: ReactNode }) => (
  <Group className={styles.group!}>{children}</Group>
)

interface ToolProps extends Omit<ButtonProps, 'className' | 'style' | 'children'> {
  readonly label: string
  /** The keys that do the same, such as `Mod+B`: Mod is Ctrl, and ⌘ on a Mac. */
  readonly keys?: string
  readonly icon: ReactNode
  /** True if the function of the button applies at the cursor; undefined if that is not known. */
  readonly isOn?: boolean
}

/** A button with an icon. Pressing it leaves the focus in the editor. */
export function Tool({ label, keys, icon, isOn, onPress, isDisabled, ...props }: ToolProps) {
  const keysText = useKeysText(keys)
  const shared = {
    'aria-label': label,
    className: styles.tool!,
    isDisabled: isDisabled ?? false,
    preventFocusOnPress: true,
  }
  return (
    <TooltipTrigger delay={500}>
      {isOn === undefined ? (
        <Button {...props} {...shared} {...(onPress && { onPress })}>
          {icon}
        </Button>
      ) : (
        <ToggleButton {...shared} isSelected={isOn} {...(onPress && { onPress })}>
          {icon}
        </ToggleButton>
      )}
      <Tooltip className={styles.tooltip!} offset={6}>
        {label}
        {keysText && <kbd>{keysText}</kbd>}
      </Tooltip>
    </TooltipTrigger>
  )
}

/** Names a key combination as this machine and the language do: `Mod+B` is ⌘B on a Mac. */
function useKeysText(keys: string | undefined): string | undefined {
  const t = useTranslations('keys')
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
  return isMac
    ? keys?.replace('Mod+', '⌘').replace('Shift+', '⇧')
    : keys?.replace('Mod', t('ctrl')).replace('Shift', t('shift'))
}

interface ToolTextProps extends Omit<ButtonProps, 'className' | 'style' | 'children'> {
  readonly label: string
  /** The value that applies at the cursor. */
  readonly text: string
}

/** A button that shows a text and opens a menu. */
export const ToolText = ({ label, text, ...props }: ToolTextProps) => (
  <Button {...props} aria-label={`${label}: ${text}`} className={classNames(styles.tool, styles.text)}>
    {text}
    <ChevronDown aria-hidden="true" />
  </Button>
)
