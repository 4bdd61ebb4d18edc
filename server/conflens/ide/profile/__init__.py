"""What an imported profile says at a line, method or option, and the lists of hotspots and chains."""
