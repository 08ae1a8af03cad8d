;; Exports the bot interfaces of two games.
(component
    (instance $bot)
    (export "arena:battleship/bot@0.1.0" (instance $bot))
    (export "arena:submarine/bot@0.1.0" (instance $bot)))
