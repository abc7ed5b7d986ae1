"""What templates of all apps ask the portal for."""
