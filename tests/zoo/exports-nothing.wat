;; A component without exports.
(component)
