// Menus that a button opens.

import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuSection as AriaMenuSection,
  Header,
  type MenuItemProps,
  MenuTrigger,
  Popover,
  type PopoverProps,
  type Selection,
  Separator,
} from 'react-aria-components'
import { classNames } from './class-names.ts'
import styles from './menu.module.css'

interface MenuProps {
  /** The button that opens it. */
  readonly trigger: ReactNode
  readonly label: string
  readonly children: ReactNode
  readonly placement?: PopoverProps['placement']
}

export function Menu({ trigger, label, children, placement = 'bottom end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover!} placement={placement} offset={4}>
        <AriaMenu className={styles.menu!} aria-label={label}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

interface ItemProps extends Omit<MenuItemProps, 'className' | 'style' | 'children'> {
  readonly children: ReactNode
  readonly icon?: ReactNode
  readonly isDangerous?: boolean
}

export function MenuItem({ children, icon, isDangerous, ...props }: ItemProps) {
  const textValue = props.textValue ?? (typeof children === 'string' ? children : undefined)
  return (
    <AriaMenuItem
      {...props}
      {...(textValue !== undefined && { textValue })}
      className={classNames(styles.item, isDangerous && styles.danger)}
    >
      {icon}
      <span className={styles.text}>{children}</span>
      <Check className={styles.check} aria-hidden="true" />
    </AriaMenuItem>
  )
}

interface SectionProps {
  readonly heading: string
  readonly children: ReactNode
  readonly selectionMode?: 'single' | 'multiple'
  readonly selected?: Iterable<string>
  readonly onSelect?: (keys: ReadonlySet<string>) => void
}

/** A part of a menu with a heading, of which items may be chosen. */
export function MenuSection({ heading, children, selectionMode, selected, onSelect }: SectionProps) {
  const selection =
    selectionMode === undefined
      ? {}
      : {
          selectionMode,
          selectedKeys: selected ?? [],
          onSelectionChange: (keys: Selection) => keys !== 'all' && onSelect?.(new Set([...keys].map(String))),
        }
  return (
    <AriaMenuSection {...selection}>
      <Header className={styles.heading}>{heading}</Header>
      {children}
    </AriaMenuSection>
  )
}

export const MenuSeparator = () => <Separator className={styles.separator!} />
